// Parts that belong together: choices, collections, forms.
const OWNER = { radio: "radiogroup", tab: "tablist", option: "listbox", menuitemradio: "menu", menuitem: "menu", menuitemcheckbox: "menu" };
const CHOICE_KIND = { radiogroup: "radio", tablist: "tabs", listbox: "listbox", menu: "menu", menubar: "menu" };
const closestRole = (el, roles) => {
  for (let at = parentOf(el); at; at = parentOf(at)) if (roles.includes(attr(at, "role"))) return at;
  return null;
};
// Words with digits in them are a value of its own, no label.
const wordsBefore = (el) => { const words = nearby(el); return /\d/.test(words) ? "" : words; };
const labelAbove = (el) => nameOf(el, "group") || wordsBefore(el);
const optionState = (el) => {
  const state = stateOf(el);
  return state === null && attr(el, "data-state") === "active" ? true : state;
};
const optionOf = (el, chosen) => ({ node: numberOf(el), name: nameOf(el), selector: selectorOf(el), disabled: disabledOf(el), chosen });
const choiceOf = (el, kind, name, options, by, extra = {}) => ({
  ...base(el, roleOf(el), name), kind, options, by, multiple: attr(el, "aria-multiselectable") === "true", expanded: null, ...extra,
});
const aroundAll = (els) => {
  const boxes = els.map(boxOf), left = Math.min(...boxes.map(([x]) => x)), top = Math.min(...boxes.map(([, y]) => y));
  return [left, top, Math.max(...boxes.map(([x, , width]) => x + width)) - left, Math.max(...boxes.map(([, y, , height]) => y + height)) - top];
};
// Options that say what they are: radios, tabs, listbox options, menu items.
const statedChoices = (options) => {
  const groups = new Map();
  for (const { el, role } of options) {
    let owner = closestRole(el, [OWNER[role] ?? "menu", "menubar", "listbox", "menu", "radiogroup", "tablist"]);
    let key = owner;
    if (role === "radio" && tagOf(el) === "input" && el.name) key = `${el.form ? numberOf(el.form) : ""}/${el.name}`;
    owner ??= role === "radio" && el.closest("fieldset,[role=group]");
    key ??= owner ?? parentOf(el);
    if (!groups.has(key)) groups.set(key, { owner: owner || parentOf(el), role, own: Boolean(owner), members: [] });
    groups.get(key).members.push(el);
  }
  return [...groups.values()].map(({ owner, role, own, members }) => {
    let at = owner;
    while (!members.every((el) => at.contains(el) || at.shadowRoot?.contains(el)) && parentOf(at)) at = parentOf(at);
    const kind = CHOICE_KIND[OWNER[role]] ?? "radio";
    const name = own ? labelAbove(owner) : wordsBefore(members[0]);
    let chosen = members.map((el) => optionState(el) === true), by = "role";
    // Where nothing says so, and the options stay where they are: the one that is painted unlike all the others.
    if (["tabs", "menu"].includes(kind) && members.length > 2 && !chosen.some(Boolean) && members.every((el) => optionState(el) === null) && !floats(owner)) {
      const looks = members.map(paintOf), alone = looks.filter((look) => looks.filter((other) => other === look).length === 1);
      if (alone.length === 1 && new Set(looks).size === 2) { chosen = looks.map((look) => look === alone[0]); by = "look"; }
    }
    // A tab list in which the panels lie as well is where its tabs are: what changes in a panel is none of its own.
    const extra = kind === "tabs" ? { box: aroundAll(members) } : {};
    return { el: at, members, raw: choiceOf(at, kind, name, members.map((el, i) => optionOf(el, chosen[i])), by, extra) };
  });
};
const selectChoice = (el, field) => ({
  el, members: [el],
  raw: choiceOf(el, "select", field.name, [...el.options].slice(0, 200).map((option) => ({
    node: numberOf(option), name: fold(option.text), selector: "", disabled: option.disabled, chosen: option.selected, value: option.value.slice(0, 200),
  })), "role", { multiple: el.multiple }),
});
const comboChoice = (el, field) => {
  const list = [...referred(el, "aria-controls"), ...referred(el, "aria-owns")].find((other) => visible(other));
  const options = list ? [...list.querySelectorAll("[role=option]")].filter(visible) : [];
  return {
    el, members: [el], list,
    raw: choiceOf(el, "combobox", field.name, options.map((option) => optionOf(option, stateOf(option) === true)), "role", { expanded: expandedOf(el), value: field.value }),
  };
};
// Three or more like buttons or links in a row, of which one is marked as current, or painted unlike all the others.
const PAINT = ["backgroundColor", "color", "fontWeight", "borderBottomColor", "borderTopColor", "boxShadow", "textDecorationLine", "outlineStyle", "opacity", "backgroundImage"];
const paintOf = (el) => PAINT.map((name) => styleOf(el)[name]).join("|");
const rowOf = (el) => {
  let at = parentOf(el), below = el;
  while (at && kids(at).length === 1) { below = at; at = parentOf(at); }
  return [at, below];
};
const rowChoices = (pressables) => {
  const rows = new Map();
  for (const entry of pressables) {
    const [row] = rowOf(entry.el);
    if (!row || tagOf(row) === "body") continue;
    if (!rows.has(row)) rows.set(row, []);
    rows.get(row).push(entry);
  }
  const found = [];
  for (const [row, entries] of rows) {
    if (entries.length < 2 || entries.length > 40) continue;
    if (new Set(entries.map(({ el }) => tagOf(el))).size > 1 || entries.some(({ el }) => el.type === "submit" && el.form)) continue;
    const states = entries.map(({ el }) => stateOf(el));
    const stated = states.some((state) => state !== null);
    // What says three things and more, and is the current one of them, is an item that is opened beside its list, and no option.
    if (entries.some(({ el }) => attr(el, "aria-current")) && entries.every(({ el }) => leaves(el, 3).length > 2)) continue;
    // One toggle in a row of plain buttons is no choice; of links only the current one need say so.
    const saying = entries.filter(({ el }) => STATES.some((name) => has(el, name))).length;
    if (saying > 0 && saying < entries.length) continue;
    let chosen = states.map((state) => state === true), by = "state";
    if (!stated) {
      // Words among signs are no options of one choice: a row's name, its lock, its arrow.
      if (entries.length < 3 || new Set(entries.map(({ el }) => isBare(el))).size > 1) continue;
      const looks = entries.map(({ el }) => paintOf(el)), counts = new Map();
      looks.forEach((look) => counts.set(look, (counts.get(look) ?? 0) + 1));
      if (counts.size !== 2 || ![...counts.values()].includes(1)) continue;
      chosen = looks.map((look) => counts.get(look) === 1);
      by = "look";
    }
    const toggles = entries.every(({ el }) => has(el, "aria-pressed"));
    if (toggles && chosen.filter(Boolean).length !== 1) continue;  // as many as one likes: toggles
    const kind = entries.every(({ role }) => role === "link") ? "links" : "segmented";
    const name = nameOf(row, "group") || wordsBefore(row);
    found.push({ el: row, members: entries.map(({ el }) => el), raw: choiceOf(row, kind, name, entries.map(({ el }, i) => optionOf(el, chosen[i])), by) });
  }
  return found;
};

const shapeOf = (el) => `${tagOf(el)}.${attr(el, "role")}`;
const tallies = (el) => kids(el).map(shapeOf).filter((shape, i, all) => all.indexOf(shape) === i).sort().join(",");
// Fields that are typed into: what stands in them is words of the item that they are in.
const TYPED = "input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=color]):not([type=file]):not([type=hidden]):not([type=password]):not([type=button]):not([type=submit]):not([type=reset]),textarea";
const isTyped = (el) => Element.prototype.matches.call(el, TYPED);
const leaves = (el, limit = 40) => {
  const found = [];
  const walk = (at) => {
    if (found.length >= limit || UNREAD.has(tagOf(at)) || !laidOut(at) || attr(at, "aria-hidden") === "true") return;
    if (at !== el && isTyped(at)) { if (visible(at)) found.push({ el: at, text: fold(at.value, 200) }); return; }
    if (tagOf(at) === "label" && at.control && (isTyped(at.control) || tagOf(at.control) === "select")) { kids(at).forEach(walk); return; }  // its words head a column
    if (at !== el && (roleOf(at) === "button" || roleOf(at) === "combobox")) return;
    if ([...GET.nodes.call(at)].some((node) => node.nodeType === 3 && fold(node.data))) {
      const text = visible(at) ? textOf(at, (other) => roleOf(other) === "button" || isControl(other)) : "";
      if (text) found.push({ el: at, text });
      return;
    }
    kids(at).forEach(walk);
  };
  walk(el);
  return found;
};
const cellOf = (el) => {
  const words = textOf(el, (other) => roleOf(other) === "button" || tagOf(other) === "select");
  if (words) return words;
  const chosen = [...el.querySelectorAll("select")].filter(visible);
  if (chosen.length === 1) return fold(chosen[0].selectedOptions[0]?.text ?? "", 200);
  const typed = [...el.querySelectorAll(TYPED)].filter(visible);
  return typed.length === 1 ? fold(typed[0].value, 200) : "";
};
// Whether it says that it can be dragged, itself or the only thing in it: by the attribute, by ARIA, by its pointer.
const dragged = (el) => {
  const inner = kids(el);
  const those = inner.length === 1 ? [el, inner[0]] : [el];
  return those.some((at) => attr(at, "draggable") === "true" || has(at, "aria-grabbed") || /\b(draggable|sortable)\b/.test(attr(at, "aria-roledescription"))
    || (styleOf(at).cursor === "grab" && styleOf(parentOf(at)).cursor !== "grab"));  // a plane that is panned is no item's affair
};
const itemOf = (el, cells) => ({ node: numberOf(el), selector: selectorOf(el), cells, box: boxOf(el), chosen: stateOf(el), drags: dragged(el) });
const ITEM_LIMIT = 200;
const tableOf = (el) => {
  const rows = tagOf(el) === "table" ? [...el.rows] : [...el.querySelectorAll("[role=row]")];
  const own = rows.filter((row) => visible(row) && (tagOf(el) === "table" || closestRole(row, ["table", "grid", "treegrid"]) === el));
  const cellsIn = once((row) => (row.cells ? [...row.cells] : kids(row).filter((cell) => /cell|header/.test(attr(cell, "role")))));
  const isHead = (row) => (tagOf(parentOf(row)) === "thead" || cellsIn(row).every((cell) => roleOf(cell) === "columnheader" && attr(cell, "scope") !== "row"));
  const isFoot = (row) => tagOf(parentOf(row)) === "tfoot";
  const head = own.find((row) => cellsIn(row).length && isHead(row));
  const heads = head ? cellsIn(head) : [];
  const body = own.filter((row) => cellsIn(row).length && !isHead(row) && !isFoot(row));
  const wide = heads.length || Math.max(0, ...body.map((row) => cellsIn(row).length));
  const full = body.filter((row) => cellsIn(row).length > 1 || wide === 1);  // one cell across: "no entries"
  const foot = own.filter(isFoot).map((row) => cellsIn(row).map(cellOf));
  const sorted = heads.findIndex((cell) => /ascending|descending/.test(attr(cell, "aria-sort")));
  return {
    els: full, columns: heads.map((cell) => textOf(cell)), foot,
    sort: sorted < 0 ? null : { column: sorted, descending: attr(heads[sorted], "aria-sort") === "descending" },
    items: full.slice(0, ITEM_LIMIT).map((row) => itemOf(row, cellsIn(row).map(cellOf))), count: full.length,
    item_path: el.querySelector(":scope [role=row]") ? "[role=row]:has([role=cell],[role=gridcell],[role=rowheader])" : "> tbody > tr",
    says: body.filter((row) => !full.includes(row)).map((row) => textOf(row)).join(" "),
  };
};
// How a list's items are found from it, in CSS.
const stepsTo = (el, item) => {
  if (!item) return "> li";
  const steps = [];
  for (let at = item; at && at !== el; at = parentOf(at)) steps.unshift(attr(at, "role") && !GET.id.call(at) ? `${tagOf(at)}[role=${CSS.escape(attr(at, "role"))}]` : tagOf(at));
  return `> ${steps.join(" > ")}`;
};
// What an item says; where that is no word, what its only button with words says, too, unless the two are one word or sign.
const lettered = (el) => /\p{L}/u.test(textOf(el, null, 40));
const told = (item) => {
  const own = leaves(item, 12);
  if (own.some(({ el, text }) => /\p{L}/u.test(text) || isTyped(el))) return own;
  const buttons = [...item.querySelectorAll("button,[role=button]")].filter((el) => visible(el) && lettered(el));
  const said = buttons.length === 1 ? leaves(buttons[0], 12) : [];
  return said.length + own.length > 1 ? [...said, ...own] : own;
};
const wordsOf = (item) => told(item).map(({ text }) => text);
const listOf = (el, members) => ({
  els: members, columns: [], foot: [], sort: null, item_path: stepsTo(el, members[0]), count: members.length, says: "",
  items: members.slice(0, ITEM_LIMIT).map((item) => itemOf(item, wordsOf(item))),
});
// The heading that a list has in itself, before its items, without the figure that counts them.
const headIn = (el, items) => {
  // Several headings are of the groups in it, also where a search leaves one of them.
  if (kids(el).filter((kid) => /^h[1-6]$/.test(tagOf(kid))).length > 1) world.grouped.add(el);
  if (world.grouped.has(el)) return "";
  const before = kids(el).slice(0, Math.max(0, kids(el).findIndex((kid) => items[0] && (kid === items[0] || kid.contains(items[0])))));
  const heads = before.flatMap((kid) => [kid, ...kids(kid)]).filter((at) => /^h[1-6]$/.test(tagOf(at)) || attr(at, "role") === "heading");
  const words = heads.length === 1 ? [...GET.nodes.call(heads[0])].map((node) => fold(node.textContent)) : [];
  return words.filter((word) => word && !/^[\d().·/\s]+$/.test(word)).join(" ");
};
// The page's own foot: links and words that stand below everything are no things of the app.
const inPageFoot = (el) => {
  const foot = el.closest("footer,[role=contentinfo]");
  return Boolean(foot && !parentOf(foot)?.closest("article,aside,main,nav,section,dialog,[role=main],[role=region],[role=article],[role=dialog]"));
};
// An empty part of the page that lies fixed over it: the place where messages will come up.
const awaitsMessages = (el) => {
  for (let at = el, climbs = 0; at && climbs < 4; at = parentOf(at), climbs += 1) if (styleOf(at).position === "fixed") return !textOf(at, null, 4);
  return false;
};
// Numbers one after another, with arrows around them: a list's pages.
const isPager = (members) => {
  const numbers = members.map((item) => textOf(item, null, 6)).filter((text) => /\p{L}|\d/u.test(text));
  return numbers.length > 1 && numbers.every((text, i) => /^\d{1,4}$/.test(text) && (i === 0 || Number(text) > Number(numbers[i - 1])));
};
// Entries of a navigation with controls of their own, to rename and to remove them, are things that are kept there.
const IN_MENU = "[role=tablist],[role=menu],[role=listbox],[role=toolbar]";
const keptThings = (members) => members.length > 0 && members.every((item) => item.querySelectorAll("button,[role=button]").length > 1 && !item.querySelector("ul,ol,[role=menu]"));
const inMenu = (el, members) => Boolean(el.closest(IN_MENU) || (el.closest("nav,[role=navigation]") && !keptThings(members)));
const NO_COLLECTION = ["navigation", "tablist", "menu", "menubar", "listbox", "radiogroup", "toolbar"];
// Rows of fields are items where each has the same fields and a button of its own: an invoice's lines, not a form's parts.
const FIELDS = `${TYPED},select`;
const namesIn = (kid) => [...kid.querySelectorAll(FIELDS)].filter(visible).map((el) => `${tagOf(el)} ${nameOf(el, roleOf(el)).replace(/[\d#.:()]+/g, "").trim()}`).join("|");
const fieldRows = (like) => {
  const [first, ...others] = like.map(namesIn);
  return Boolean(first) && others.every((names) => names === first) && like.every((kid) => [...kid.querySelectorAll("button,[role=button]")].some(visible));
};
// A figure and what it is; with a word more only where the figure is what one sees first. Sign, number and unit in one line are one.
const isTile = (found) => {
  const lines = [];
  for (const { el, text } of found) {
    const [, top, , height] = boxOf(el), size = parseFloat(styleOf(el).fontSize), last = lines[lines.length - 1];
    if (last && top < last.end - 0.3 * height) { last.text += ` ${text}`; last.size = Math.max(last.size, size); last.end = Math.max(last.end, top + height); }
    else lines.push({ text, size, end: top + height });
  }
  if (lines.length === 1) return /\d/.test(lines[0].text) && lines[0].text.length < 40;
  if (lines.some(({ text }) => /\d\s*[-–]\s*\d|\d\+/.test(text))) return false;  // from – to: a row of a ladder
  // "Every 2 days" is words about a thing and no figure that a tile shows.
  const figures = lines.filter(({ text }) => /\d/.test(text) && text.length < 20 && !/^\p{L}{3,}.*\d.*\p{L}{3,}$/u.test(text));
  if (lines.length === 2) return figures.length > 0;
  return lines.length === 3 && figures.some((figure) => lines.every((other) => other === figure || other.size < 0.85 * figure.size));
};
const akin = (own, other) => own.filter((shape) => other.includes(shape)).length / new Set([...own, ...other]).size;
// The items of what repeats in an element without saying so: like children with content.
const repeatedIn = (el) => {
  const members = kids(el).filter((kid) => !INLINE.has(tagOf(kid)) && !UNREAD.has(tagOf(kid)) && visible(kid));
  const known = world.homes.get(el);
  if (known && members.length < 3) return members.filter((kid) => shapeOf(kid) === known);
  if (members.length < 2) return null;
  const shapes = new Map();
  for (const kid of members) {
    const shape = `${shapeOf(kid)}(${tallies(kid)})`;
    if (!shapes.has(shape)) shapes.set(shape, []);
    shapes.get(shape).push(kid);
  }
  const most = [...shapes.values()].sort((a, b) => b.length - a.length)[0];
  // One that has a badge more, or a button less, is an item as well.
  const near = (kid) => shapeOf(kid) === shapeOf(most[0]) && akin(tallies(kid).split(","), tallies(most[0]).split(",")) >= 0.5;
  const like = most.length > 1 && tallies(most[0]) ? members.filter((kid) => most.includes(kid) || near(kid)) : most;
  if (like.length < 2 || ["h1", "h2", "h3", "p", "label", "input", "option", "br", "hr"].includes(tagOf(like[0]))) return null;
  // Rows of fields may stand among other parts of a form: its head above them, its sums below.
  const rows = !isControl(like[0]) && !["form", "tr", "td", "tbody", "dt", "dd"].includes(tagOf(like[0])) && like[0].querySelector(FIELDS) && fieldRows(like);
  // Where a search leaves few of a list in groups, half of what stands there are the groups' headings.
  const headed = known === shapeOf(like[0]) && members.every((kid) => like.includes(kid) || /^h[1-6]$/.test(tagOf(kid)));
  if (like.length < members.length * 0.6 && !rows && !headed) return null;
  if (rows) { world.homes.set(el, shapeOf(like[0])); return like; }
  if (["section", "header", "footer", "nav", "form", "fieldset", "main", "tr", "td", "tbody", "dt", "dd"].includes(tagOf(like[0])) || ["input", "select", "textarea"].includes(tagOf(like[0]))) return null;
  if (like.some((kid) => kid.querySelector("input:not([type=checkbox]):not([type=radio]),textarea,select,form,table,h1"))) return null;
  // A card may hold a list of words about it.
  if (like.some((kid) => kid.querySelector("ul")) && !like.every((kid) => kid.querySelector("h2,h3,h4,h5,h6") && !kid.querySelector("li button,li a,li input"))) return null;
  // Two or three parts of a page that hold quite unlike many controls, its steps and what is asked in them, are no things of one kind.
  const held = like.map((kid) => kid.querySelectorAll("button,a[href],input,[role=button]").length);
  if (like.length < 4 && Math.max(...held) - Math.min(...held) > 3) return null;
  const words = like.map(told);
  if (words.some((found) => found.length === 0)) return null;
  // Buttons are items where each has content: a name and something about it.
  if (isControl(like[0]) && (like.length < 3 || words.some((found) => found.length < 2))) return null;
  if (words.every((found) => found.length === 1) && like.length < 3) return null;
  // Lines of different sizes are no things of one kind: a dial's state, time and round.
  if (words.every((found) => found.length === 1) && new Set(words.map(([{ el: leaf }]) => styleOf(leaf).fontSize)).size > 1) return null;
  if (like.every((kid) => !kids(kid).length) && styleOf(el).display === "block" && like.every((kid) => styleOf(kid).display === "inline")) return null;
  // Numbered words beside each other are the steps of a process; below each other they are ranks.
  const beside = new Set(like.map((kid) => Math.round(boxOf(kid)[1] / 8))).size === 1;
  if (beside && words.every((found, i) => found.length === 2 && found[0].text === String(i + 1))) return null;
  // A few tiles of a figure and what it is are figures.
  const figures = words.filter(isTile).length;  // beside figures one may say who leads
  const tiles = figures * 2 > words.length && words.every((found) => isTile(found) || found.length === 2) && words.some((found) => found.length > 1);
  const across = new Set(like.map((kid) => Math.round(boxOf(kid)[1] / 8))).size < like.length;  // beside each other, not below
  if (tiles && across && like.length <= 6 && !like.some((kid) => kid.querySelector("button,a,input"))) return null;
  world.homes.set(el, shapeOf(like[0]));
  return like;
};

// The fields that are sent together: a form's, or, without one, those in the nearest part of the page with a button.
const follows = (el, other) => Boolean(el.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
// A list between a field and a button parts them: what clears a list from below it does not send what is typed above it.
// A number is not added to a list that only is there to be read: the prices by quantity below it.
const HANDLES = "button,a[href],input,select,textarea,[role=button]";
const parted = (el, button, lists) => lists.some((list) => !inner(list, el) && !inner(list, button) && follows(el, list) && follows(list, button)
  && (!counts(el) || list.querySelector(HANDLES)));
// The two signs around a number: what counts it up and down sends nothing.
const counts = (el) => el.type === "number" || roleOf(el) === "spinbutton" || /numeric|decimal/.test(attr(el, "inputmode")) || /^\d+$/.test(el.value ?? "");
const steppersOf = (el) => {
  for (let at = parentOf(el), climbs = 0; at && climbs < 3 && counts(el); at = parentOf(at), climbs += 1) {
    const here = [...at.querySelectorAll("button,[role=button]")].filter(visible);
    // Numbers beside them are amounts to choose from.
    const bare = here.filter(isBare);
    if (here.length) return bare.length === 2 && here.every((one) => bare.includes(one) || /^[\d.,]+$/.test(textOf(one, null, 8))) ? here : [];
  }
  return [];
};
// What sends a search stands in its row; what makes something new, in the row below, does not.
const abreast = (el, other) => { const [, top, , height] = boxOf(el), [, y, , tall] = boxOf(other); return y < top + height && top < y + tall; };
const looseForms = (fields, buttons, taken, lists) => {
  const left = fields.filter(({ el }) => !el.form && !el.closest("form,[role=form]") && !taken(el));
  const homes = new Map();
  for (const field of left) {
    let at = parentOf(field.el), home = null, climbs = 0;
    for (; at && climbs < 6; at = parentOf(at), climbs += 1) {
      const here = buttons.filter(({ el }) => at !== el && inner(at, el) && !parted(field.el, el, lists) && (field.raw.kind !== "search" || abreast(field.el, el)));
      // The whole page is one form only if it is a small one, with its button after its field.
      const all = ["body", "main"].includes(tagOf(at));
      if (all && (here.length > 2 || here.some(({ el }) => !follows(field.el, el)))) break;
      if (here.length > 6 || ["tr", "table", "ul", "ol"].includes(tagOf(at))) break;
      if (here.length) { home = at; break; }
    }
    home ??= parentOf(field.el);
    if (!homes.has(home)) homes.set(home, []);
    homes.get(home).push(field);
  }
  const typed = ({ raw }) => !["slider", "select", "combobox", "color"].includes(raw.kind);
  // Choices alone are a form beside few buttons; many are a bar of tools. In a dialog a box and a choice are one, too.
  const within = (el) => buttons.filter((button) => inner(el, button.el)).length;
  const beside = (el) => (el.closest("dialog,[role=dialog],[role=alertdialog]") ? el.querySelectorAll("input[type=checkbox],input[type=radio]").length : 0);
  return [...homes].filter(([el, own]) => own.some(typed) || (own.length + beside(el) > 1 && within(el) > 0 && within(el) <= 4))
    .map(([el, own]) => ({ el, fields: own, native: false }));
};
// Of a form's buttons the one that sends it: the native one, else the last that neither opens anything nor leads back.
const submitOf = (el, native, buttons) => {
  const all = buttons.filter((entry) => (native && entry.el.form === el) || inner(el, entry.el));
  const lettered = all.filter((entry) => !isSign(entry.el) && (entry.stated || /\p{L}/u.test(textOf(entry.el, null, 20))));
  const here = lettered.length ? lettered : all;
  const hosted = here.find((entry) => attr(rootOf(entry.el).host ?? entry.el, "type") === "submit");  // a button in a shadow root is of no form
  const sends = (tagOf(el) === "form" && hosted && rootOf(hosted.el) !== rootOf(el) ? hosted : null) ?? here.find((entry) => native && ((tagOf(entry.el) === "button" && entry.el.type === "submit") || (tagOf(entry.el) === "input" && /submit|image/.test(entry.el.type))));
  if (sends) return sends.el;
  const plain = here.filter(({ el: button }) => !has(button, "aria-haspopup") && !has(button, "aria-expanded") && button.type !== "reset");
  if (plain.length < 2) return plain[0]?.el ?? null;
  // What stands out most from the form's own ground is meant to be pressed, unless it is red; else a dialog's last, a form's first.
  const ground = groundOf(parentOf(plain[0].el)) ?? [255, 255, 255];
  const standing = plain.map((entry) => {
    if (styleOf(entry.el).backgroundImage !== "none") return 255;
    const paint = over(colourOf(styleOf(entry.el).backgroundColor) ?? [0, 0, 0, 0], ground);
    return paint[0] > 140 && paint[1] < 100 && paint[2] < 110 ? 0 : Math.hypot(...[0, 1, 2].map((i) => paint[i] - ground[i]));
  });
  const [most, next] = [...standing].sort((one, other) => other - one);
  if (most - next > 40) return plain[standing.indexOf(most)].el;
  return plain[el.closest("dialog,[role=dialog],[role=alertdialog]") ? plain.length - 1 : 0].el;
};
