// What every part of the reader needs of an element: attributes, role, name, texts, place, path.
// Called through the prototypes: a form's inputs named `children` or `getAttribute` stand in the way of the form's own.
const world = (globalThis.assayPage ??= { numbers: new WeakMap(), next: 1, homes: new WeakMap(), grouped: new WeakSet() });
const getter = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get;
const GET = {
  children: getter(Element.prototype, "children"), tag: getter(Element.prototype, "localName"),
  shadow: getter(Element.prototype, "shadowRoot"), nodes: getter(Node.prototype, "childNodes"),
  parent: getter(Node.prototype, "parentNode"), id: getter(Element.prototype, "id"),
  previous: getter(Element.prototype, "previousElementSibling"), root: Node.prototype.getRootNode,
};
const attr = (el, name) => Element.prototype.getAttribute.call(el, name) ?? "";
const has = (el, name) => Element.prototype.hasAttribute.call(el, name);
const tagOf = (el) => GET.tag.call(el);
const shadowOf = (el) => GET.shadow.call(el);
// The document stands still while it is read: what was asked of an element once is known, until it is read anew.
const memos = [];
const memo = () => { const kept = new Map(); memos.push(kept); return kept; };
const once = (ask) => {
  const known = memo();
  return (el) => {
    let told = known.get(el);
    if (told === undefined) { told = ask(el); known.set(el, told); }
    return told;
  };
};
const kids = once((el) => {
  const shadow = shadowOf(el);
  if (shadow) return [...shadow.children];
  if (tagOf(el) === "slot") {
    const given = el.assignedElements({ flatten: true });
    if (given.length) return given;
  }
  return [...GET.children.call(el)];
});
const parentOf = (el) => {
  if (el.assignedSlot) return el.assignedSlot;
  const up = GET.parent.call(el);
  if (up instanceof ShadowRoot) return up.host;
  return up instanceof Element ? up : null;
};
const rootOf = (el) => GET.root.call(el);
// Signs that only allow or forbid a line to be broken are not read by anybody.
const fold = (text, limit = 200) => text.replace(/[\u200b\u2060\ufeff]/g, "").replace(/\s+/g, " ").trim().slice(0, limit);
const numberOf = (el) => {
  if (!world.numbers.has(el)) world.numbers.set(el, world.next++);
  return world.numbers.get(el);
};
const styles = memo();
const styleOf = (el) => {
  if (!styles.has(el)) styles.set(el, getComputedStyle(el));
  return styles.get(el);
};
const laidOut = once((el) => Element.prototype.checkVisibility.call(el) || styleOf(el).display === "contents");
const SEE = { visibilityProperty: true, opacityProperty: true };
const visible = once((el) => Element.prototype.checkVisibility.call(el, SEE) || styleOf(el).display === "contents");
// Rules of the page's style sheets that show something while the pointer is over it or what it lies in, without the pointer.
// Kept from one reading to the next while the sheets have as many rules as before: a library's has thousands.
const rulesOf = (sheet) => { try { return sheet.cssRules; } catch { return []; } };  // another site's can't be read
let hoverNow = null;
const anew = () => { memos.forEach((kept) => kept.clear()); hoverNow = null; };
const hoverRules = () => (hoverNow ??= hoverRulesOf());
const hoverRulesOf = () => {
  const sheets = [...document.styleSheets].map(rulesOf), size = sheets.map((rules) => rules.length).join();
  if (world.hover?.size === size) return world.hover.rules;
  const hovering = [];
  world.hover = { size, rules: hovering };
  const shows = ({ opacity, display, visibility }) => Number(opacity) > 0 || (display && display !== "none") || visibility === "visible";
  const walk = (rules, outer) => {
    for (const rule of rules ?? []) {
      const own = rule.selectorText ? rule.selectorText.replaceAll("&", outer ? `:is(${outer})` : "&") : outer;
      if (own && own.includes(":hover") && rule.style && shows(rule.style)) hovering.push(own.replaceAll(":hover", ""));
      if (rule.cssRules?.length) walk(rule.cssRules, own);
    }
  };
  sheets.forEach((rules) => walk(rules, ""));
  return hovering;
};
const isHidden = (el) => { const style = styleOf(el); return style.opacity === "0" || style.display === "none" || style.visibility === "hidden"; };
const shownByPointer = once((el) => hoverRules().some((selector) => { try { return Element.prototype.matches.call(el, selector); } catch { return false; } }));
// What the pointer has to be over so that a control comes up which is out of sight until then; null where it never does.
const hostOf = once((el) => {
  if (!hoverRules().length || styleOf(el).pointerEvents === "none") return null;
  const hidden = [];
  for (let at = el; at && tagOf(at) !== "body"; at = parentOf(at)) if (isHidden(at)) hidden.push(at);
  if (!hidden.length || !hidden.every((at) => shownByPointer(at) || (styleOf(at).visibility === "hidden" && parentOf(at) && isHidden(parentOf(at))))) return null;
  const host = parentOf(hidden[hidden.length - 1]);
  return host && visible(host) ? host : null;
});
// Controls in a part that is not laid out until the pointer comes.
const underPointer = (el) => (shownByPointer(el) && hostOf(el) ? [el, ...el.querySelectorAll("button,a[href],[role=button]")].filter((at) => /^(button|link)$/.test(roleOf(at))).slice(0, 12) : []);
// What is drawn in place of a box that is laid out nowhere, or out of sight: its label, which a person presses, or what it lies in.
const drawnFor = once((el) => {
  if (tagOf(el) !== "input" || !/^(checkbox|radio|file)$/.test(el.type)) return null;
  const box = Element.prototype.getBoundingClientRect.call(el), out = box.width <= 2 || box.height <= 2 || box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
  if (!out && Element.prototype.checkVisibility.call(el, { visibilityProperty: true })) return null;
  const labels = labelsOf(el).filter((label) => visible(label)), around = labels.find((label) => label.contains(el));
  return around || (el.type === "checkbox" && shellOf(el)) || labels[0] || null;
});
// A switch that a library draws around its input, without any label.
const shellOf = (el) => {
  const shell = parentOf(el), box = shell && Element.prototype.getBoundingClientRect.call(shell);
  return shell && visible(shell) && box.width >= 16 && box.height >= 12 && box.width <= 120 && box.height <= 60 && shell.querySelectorAll("input,button,a[href]").length === 1 ? shell : null;
};
const drawsBox = (el) => { const box = GET.children.call(parentOf(el) ?? el)[0]; return Boolean(box && box !== el && tagOf(box) === "input" && drawnFor(box) === parentOf(el)); };
const boxOf = once((el) => {
  const unplaced = !Element.prototype.checkVisibility.call(el) && styleOf(el).display !== "contents";
  const box = Element.prototype.getBoundingClientRect.call(drawnFor(el) ?? ((unplaced && hostOf(el)) || el));
  return [box.x, box.y, box.width, box.height].map((side) => Math.round(side * 10) / 10);
});

const TEXT_INPUTS = new Set(["text", "email", "password", "tel", "url", "search", "number", "date", "time", "datetime-local",
  "month", "week", "color", "file", "range"]);
const PRESS_INPUTS = new Set(["submit", "button", "reset", "image"]);
const BY_TAG = {
  button: "button", summary: "button", textarea: "textbox", nav: "navigation", main: "main", aside: "complementary", ul: "list",
  ol: "list", menu: "list", li: "listitem", table: "table", tr: "row", td: "cell", th: "columnheader", dialog: "dialog",
  progress: "progressbar", meter: "meter", output: "status", h1: "heading", h2: "heading", h3: "heading", h4: "heading",
  h5: "heading", h6: "heading", article: "article", form: "form", fieldset: "group", option: "option", search: "search",
};
const inputRole = (el) => {
  const type = el.type;
  if (type === "checkbox") return has(el, "switch") ? "switch" : "checkbox";
  if (type === "radio") return "radio";
  if (PRESS_INPUTS.has(type)) return "button";
  if (type === "range") return "slider";
  if (type === "number") return "spinbutton";
  if (type === "search") return "searchbox";
  return TEXT_INPUTS.has(type) ? "textbox" : "";
};
const roleOf = once((el) => {
  const said = attr(el, "role").trim().split(/\s+/)[0].toLowerCase();
  if (said && said !== "none" && said !== "presentation" && said !== "generic") return said;
  if (said) return "";
  const tag = tagOf(el);
  if (tag === "input") return inputRole(el);
  if (tag === "a" || tag === "area") return has(el, "href") ? "link" : "";
  if (tag === "select") return el.multiple || el.size > 1 ? "listbox" : "combobox";
  if (tag === "summary" && tagOf(parentOf(el) ?? el) !== "details") return "";
  return BY_TAG[tag] ?? "";
});

const UNREAD = new Set(["script", "style", "template", "noscript", "title", "head", "textarea", "select", "canvas", "video", "audio",
  "iframe", "object", "datalist"]);
const INLINE = new Set(["span", "b", "i", "em", "strong", "a", "sup", "sub", "small", "mark", "code", "abbr", "u", "s", "font", "bdi",
  "data", "time", "kbd", "slot", "var", "del", "ins", "q", "cite", "label", "wbr"]);
// Visible text under an element, in order; `without` leaves out what it says true for.
const textOf = (el, without = null, limit = 400) => {
  let text = "";
  // Indented markup has more blanks than words: they must not use the limit up.
  const add = (more) => { const flat = more.replace(/\s+/g, " "); text += !text || text.endsWith(" ") ? flat.trimStart() : flat; };
  const take = (node) => {
    if (text.length > limit * 2) return;
    if (node.nodeType === 3) { add(node.data); return; }
    if (node.nodeType !== 1) return;
    const tag = tagOf(node);
    if (UNREAD.has(tag) || attr(node, "aria-hidden") === "true" || (without && without(node)) || !visible(node)) return;
    if (tag === "br") { add(" "); return; }
    if (tag === "img") { add(` ${attr(node, "alt")} `); return; }
    if (tag === "svg") { add(` ${attr(node, "aria-label")} `); return; }
    const apart = INLINE.has(tag) && !styleOf(node).display.match(/block|flex|grid/) ? "" : " ";
    add(apart);
    const shadow = shadowOf(node);
    const given = tag === "slot" ? node.assignedNodes({ flatten: true }) : [];
    for (const child of shadow ? shadow.childNodes : given.length ? given : GET.nodes.call(node)) take(child);
    add(apart);
  };
  const shadow = shadowOf(el);
  const given = tagOf(el) === "slot" ? el.assignedNodes({ flatten: true }) : [];
  for (const child of shadow ? shadow.childNodes : given.length ? given : GET.nodes.call(el)) take(child);
  return fold(text, limit);
};
const referred = (el, name) => {
  const root = rootOf(el);
  return attr(el, name).split(/\s+/).filter(Boolean).map((id) => root.getElementById?.(id)).filter(Boolean);
};
const anyText = (el) => fold(el.textContent ?? "");  // a name may be taken from what is not shown
const isControl = (el) => {
  const tag = tagOf(el);
  return tag === "input" || tag === "select" || tag === "textarea" || tag === "button" || CONTROL_ROLES.has(attr(el, "role"));
};
const CONTROL_ROLES = new Set(["button", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider",
  "spinbutton", "tab", "menuitem", "option", "radiogroup", "tablist"]);
const FROM_CONTENT = new Set(["button", "link", "tab", "menuitem", "menuitemradio", "menuitemcheckbox", "option", "radio", "checkbox",
  "switch", "treeitem", "heading", "row", "cell", "columnheader", "rowheader"]);
// A button of which nothing but a sign or a picture is seen: −, +, ▲, ‹; and one that nobody gave words for either.
const isBare = (el) => (tagOf(el) === "button" || attr(el, "role") === "button") && !/[\p{L}\p{N}]/u.test(textOf(el, null, 20));
const isSign = (el) => isBare(el) && (Boolean(textOf(el, null, 4)) || !/\p{L}/u.test(attr(el, "aria-label")));
// Of words in several lines the first: "Number of seats", and below it how they are counted.
const titleIn = (el) => {
  const lines = kids(el).filter((kid) => visible(kid) && textOf(kid, null, 4));
  if (lines.length === 1 && textOf(lines[0], null, 80) === textOf(el, null, 80)) return titleIn(lines[0]);
  return lines.length > 1 && lines.every((kid) => !/^inline/.test(styleOf(kid).display) || /flex|grid/.test(styleOf(el).display)) && boxOf(lines[1])[1] >= boxOf(lines[0])[1] + boxOf(lines[0])[3] - 2 ? lines[0] : el;
};
// Words right before a control, in its row, where nothing says formally that they are its label.
const nearby = (el) => {
  for (let at = el, climbs = 0; at && climbs < 3; at = parentOf(at), climbs += 1) {
    for (let near = GET.previous.call(at); near; near = GET.previous.call(near)) {
      if (isSign(near)) continue;  // the minus of a stepper stands between a number and its words
      if (/^h[1-6]$/.test(tagOf(near)) || isControl(near) || near.querySelector?.("input,select,textarea,button")) return "";
      const text = visible(near) ? textOf(titleIn(near), null, 80) : "";
      if (text) return text.length < 60 ? text : "";
    }
    const own = [...GET.nodes.call(parentOf(at) ?? at)].filter((node) => node.nodeType === 3 && fold(node.data));
    if (own.length && parentOf(at)) return textOf(parentOf(at), isControl, 60);
    if (parentOf(at) && parentOf(at).querySelectorAll("input:not([type=hidden]),select,textarea,[role=combobox]").length > 1) return "";
  }
  return "";
};
// The labels of what a library drew a control in: `for` names the outermost part of it.
const EDITS = new Set(["textbox", "searchbox", "spinbutton", "slider", "combobox", "switch"]);
const roundAbout = (el, labels) => {
  for (let at = parentOf(el), climbs = 0; at && climbs < 5; at = parentOf(at), climbs += 1) {
    if (labels.has(at)) return at.querySelectorAll("input,select,textarea,[role=slider],[role=combobox]").length < 2 ? labels.get(at) : [];
  }
  return [];
};
// An element's own `labels` walks the whole document; this walks it once for all.
const labelled = memo();
const labelsOf = (el) => {
  const root = rootOf(el);
  if (!labelled.has(root)) {
    const found = new Map();
    for (const label of root.querySelectorAll?.("label") ?? []) {
      const control = label.control ?? (label.htmlFor && root.getElementById?.(label.htmlFor));
      if (control) found.set(control, [...(found.get(control) ?? []), label]);
    }
    labelled.set(root, found);
  }
  return labelled.get(root).get(el) ?? (EDITS.has(roleOf(el)) ? roundAbout(el, labelled.get(root)) : []);
};
// The accessible name as ARIA computes it, without its rarer turns; for fields without one, what stands before them.
const nameOf = (el, role = roleOf(el)) => {
  const by = referred(el, "aria-labelledby").map((other) => (isControl(other) ? fold(attr(other, "aria-label")) || anyText(other) : anyText(other)));
  if (by.some(Boolean)) return fold(by.join(" "));
  const said = fold(attr(el, "aria-label"));
  if (said) return said;
  const words = labelsOf(el).map((label) => textOf(label, isControl) || (visible(label) ? "" : anyText(label))).filter(Boolean);
  if (words.length) return fold(words.join(" "));
  const tag = tagOf(el);
  if (tag === "input" && PRESS_INPUTS.has(el.type)) return fold(el.value || attr(el, "alt") || attr(el, "title") || el.type);
  if (tag === "fieldset") return fold([...GET.children.call(el)].find((kid) => tagOf(kid) === "legend")?.textContent ?? "");
  if (tag === "table") return fold(el.caption?.textContent ?? "");
  if (FROM_CONTENT.has(role) || tag === "button") {
    const text = textOf(el, null, 200);
    if (text) return text;
    const picture = el.querySelector?.("img[alt],svg title,[aria-label]");
    if (picture) return fold(attr(picture, "alt") || attr(picture, "aria-label") || picture.textContent);
    if (attr(el, "title")) return fold(attr(el, "title"));
    const words = fold(el.textContent ?? "", 40);
    // What a style sheet writes on a button that has no words: ×.
    return words || ["::before", "::after"].map((place) => getComputedStyle(el, place).content).filter((said) => /^"[\p{L}\p{N}\p{S}\p{P}]{1,20}"$/u.test(said)).map((said) => said.slice(1, -1))[0] || "";  // an icon of a font, hidden from readers
  }
  return fold(attr(el, "title") || attr(el, "placeholder") || attr(el, "aria-placeholder") || attr(el, "data-placeholder") || (EDITS.has(role) ? tooltipOf(el) : ""));
};
// The tooltip of the part that a field without a name was drawn in, which has no other control.
const tooltipOf = (el) => {
  for (let at = parentOf(el), climbs = 0; at && climbs < 8; at = parentOf(at), climbs += 1) {
    if (at.querySelectorAll("input,select,textarea,button,a[href]").length > 1) return "";
    if (attr(at, "title")) return attr(at, "title");
  }
  return "";
};

const quoted = (id) => `#${CSS.escape(id)}`;
const steps = memo(), paths = memo();
// `tag`, or `tag:nth-of-type(n)` where the parent has several; all children of a parent at once.
const stepOf = (el, up) => {
  if (!steps.has(el)) {
    const like = [...(up instanceof Element ? GET.children.call(up) : up.children ?? [])], counts = {}, at = {};
    like.forEach((one) => { counts[tagOf(one)] = (counts[tagOf(one)] ?? 0) + 1; });
    like.forEach((one) => {
      const tag = tagOf(one), number = (at[tag] = (at[tag] ?? 0) + 1);
      steps.set(one, counts[tag] > 1 && up !== document ? `${tag}:nth-of-type(${number})` : tag);
    });
  }
  return steps.get(el) ?? tagOf(el);
};
const stableId = (el, root) => {
  const id = GET.id.call(el);
  const told = typeof id === "string" && id && !/\d{3,}|^:|^«|^radix|^headlessui|^mui/.test(id);
  return told && root.querySelectorAll(quoted(id)).length === 1 ? quoted(id) : "";
};
const pathIn = (el) => {
  if (!paths.has(el)) {
    const root = rootOf(el), up = GET.parent.call(el), id = stableId(el, root);
    const step = id || (up ? stepOf(el, up) : tagOf(el));
    paths.set(el, id || !(up instanceof Element) ? step : `${pathIn(up)} > ${step}`);
  }
  return paths.get(el);
};
// CSS from the document; ` >>> ` where a shadow root is entered.
const selectorOf = (el) => {
  const root = rootOf(el);
  return root instanceof ShadowRoot ? `${selectorOf(root.host)} >>> ${pathIn(el)}` : pathIn(el);
};
