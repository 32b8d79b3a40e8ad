// What came up when a picker was opened: that which was not shown before, and can be chosen.
const OFFERED = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "gridcell", "cell", "treeitem", "radio", "button", "link", "rowheader"]);
const everything = (root, found) => { for (const el of kids(root)) { if (laidOut(el)) { found.push(el); everything(el, found); } } return found; };
const page = () => everything(document.documentElement, []);
const note = () => { world.shown = new WeakSet(page().filter(visible)); return true; };
const saidOf = (el) => {
  const told = [el, ...el.querySelectorAll("*")].flatMap((one) => [attr(one, "datetime"), attr(one, "title"), attr(one, "aria-label"),
    ...[...one.attributes].filter(({ name }) => name.startsWith("data-")).map(({ value }) => value)]);
  return told.map((text) => fold(text, 80)).filter(Boolean).slice(0, 6);
};
const offers = (wanted) => {
  const known = world.shown ?? new WeakSet();
  const fresh = page().filter((el) => !known.has(el) && visible(el));
  const texts = fresh.filter((el) => [...GET.nodes.call(el)].some((node) => node.nodeType === 3 && fold(node.data))).map((el) => textOf(el, null, 60));
  const pointed = (el) => styleOf(el).cursor === "pointer" && !(parentOf(el) && styleOf(parentOf(el)).cursor === "pointer");
  const named = (el) => nameOf(el) || textOf(el, null, 120);
  const found = fresh.filter((el) => (OFFERED.has(roleOf(el)) || pointed(el) || (wanted && !el.childElementCount && textOf(el, null, 120) === wanted)) && boxOf(el)[2] > 1);
  // Of nested ones with the same words only the innermost.
  const inner = found.filter((el) => !found.some((other) => other !== el && el.contains(other) && named(other) === named(el)));
  return { texts, offers: inner.slice(0, 600).map((el) => ({
    name: named(el), said: saidOf(el), role: roleOf(el), selector: selectorOf(el), chosen: stateOf(el) === true,
    disabled: disabledOf(el) || Boolean(el.closest("[aria-disabled=true]")), box: boxOf(el),
  })) };
};
