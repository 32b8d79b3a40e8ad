// One pass over a frame: what is on it, as plain values. Python gives them their types.
const NODE_LIMIT = 150000, TEXT_LIMIT = 600, PART_LIMIT = 1500;
// Roles that say nothing of being pressed: a list's item or a table's row may be pressed all the same.
const PASSIVE = new Set(["", "listitem", "row", "cell", "gridcell", "article", "figure", "img", "heading", "paragraph", "definition", "term"]);
const PARTED = new Set(["fieldset", "section", "article", "aside", "dialog", "form", "nav", "li", "td", "tr"]);
// A line of text of which every word stands in an element of its own: <b>2</b> <span>items</span> <span>left</span>.
const runs = (el) => {
  const parts = kids(el);
  return parts.length > 1 && parts.every((kid) => INLINE.has(tagOf(kid)) && tagOf(kid) !== "a" && tagOf(kid) !== "label" && !kid.childElementCount && styleOf(kid).display === "inline" && !roleOf(kid));
};
const read = () => {
  const fields = [], selects = [], combos = [], buttons = [], links = [], toggles = [], options = [], texts = [], surfaces = [], layers = [];
  const tables = [], lists = [], repeated = [], medias = [], meters = [], timers = [], alerts = [], waiting = [], forms = [], frames = [], drawn = [];
  let seen = 0, truncated = false, section = "";
  // `inControl`: what the control is that the walk is inside of, "" for none.
  const visit = (el, inControl, inTable) => {
    if (seen >= NODE_LIMIT) { truncated = true; return; }
    seen += 1;
    const tag = tagOf(el);
    if (tag === "script" || tag === "style" || tag === "template" || tag === "noscript") return;
    if (!(laidOut(el) || drawnFor(el))) {
      for (const at of inControl ? [] : underPointer(el)) {
        if (roleOf(at) === "link") links.push({ el: at, role: "link", section });
        else if (buttons.length < PART_LIMIT) buttons.push({ el: at, role: "button", section, stated: true });
      }
      return;
    }
    const role = roleOf(el);
    const quiet = tag === "input" || tag === "select" || tag === "textarea";
    if (quiet && attr(el, "aria-hidden") === "true") return;  // a library's stand-in for what it draws itself
    if (quiet && !drawnFor(el) && !Element.prototype.checkVisibility.call(el, { visibilityProperty: true })) return;
    let control = inControl;
    const entry = { el, role, section };
    const what = role || tag === "input" || has(el, "onclick") || has(el, "tabindex") || has(el, "contenteditable") ? classify(el, role, inControl) : "";
    if (what && (quiet || visible(el) || ((what === "button" || what === "link") && hostOf(el))) && !(["button", "link", "press"].includes(what) && isSliver(el))) {
      if (what === "field" && fields.length < PART_LIMIT) fields.push(entry);
      else if (what === "select") { fields.push(entry); selects.push(entry); }
      else if (what === "combobox") { fields.push(entry); combos.push(entry); }
      else if (what === "button" || what === "press") { if (buttons.length < PART_LIMIT) buttons.push({ ...entry, role: role || "button", stated: what === "button" }); }
      else if (what === "link" && links.length < PART_LIMIT) links.push(entry);
      else if (what === "toggle") toggles.push(entry);
      else if (what === "option" && options.length < PART_LIMIT) options.push(entry);
      if (what === "field" && role === "combobox") combos.push(entry);
      control = what;
    } else if (!inControl && PASSIVE.has(role) && styleOf(el).cursor === "pointer" && tag !== "label" && tag !== "html" && tag !== "body") {
      // Pointer by itself, not inherited from what is a control already.
      const up = parentOf(el);
      if (up && styleOf(up).cursor !== "pointer" && visible(el) && !drawsBox(el) && !el.closest("label")?.control && ![el, shadowOf(el)].some((at) => at?.querySelector("button,a[href],input,select,textarea,[role]"))) {
        if (buttons.length < PART_LIMIT) buttons.push({ ...entry, role: "", stated: false });
        control = "press";
      }
    }
    if (tag === "svg" || tag === "canvas") {
      const surface = inControl ? null : surfaceOf(el);
      if (surface && surfaces.length < 60) { surfaces.push({ ...surface, section }); drawn.push(el); }
      return;
    }
    if (tag === "video" || tag === "audio") medias.push(entry);
    if (tag === "iframe" || tag === "frame") { frames.push(selectorOf(el)); return; }
    if (role === "progressbar" || role === "meter") meters.push(entry);
    if (role === "timer") timers.push(entry);
    if (role === "alert") alerts.push(el);
    if (attr(el, "aria-busy") === "true") waiting.push(el);
    const kind = layerKind(el, role);
    if (kind && (visible(el) || role === "menu")) layers.push({ ...entry, kind });
    else if (!role && isSheet(el)) layers.push({ ...entry, kind: "overlay" });
    if (tag === "form" || role === "form" || (role === "search" && tag !== "input")) forms.push(entry);
    let table = inTable;
    const outer = section;
    if (role === "table" || role === "grid" || role === "treegrid") { tables.push(entry); table = true; }
    else if ((role === "list" || role === "feed") && !NO_COLLECTION.some((other) => attr(parentOf(el) ?? el, "role") === other)) lists.push(entry);
    else if (!role || role === "group" || role === "region" || role === "main" || role === "tabpanel") {
      if (!inControl && !table && (el.childElementCount > 1 || world.homes.has(el))) { const like = repeatedIn(el); if (like) repeated.push({ ...entry, like }); }
    }
    if (role === "heading") section = textOf(el, null, 80);
    else if (tag === "legend") section = textOf(el, null, 80);
    if (!control || role === "heading") takeText(el, role, texts, entry.section);
    if (quiet) return;
    kids(el).forEach((kid) => visit(kid, control, table));
    if (PARTED.has(tag) || kind === "dialog") section = outer;  // what follows stands under the heading before it again
  };
  const takeText = (el, role, into, where) => {
    if (into.length >= TEXT_LIMIT) { truncated = true; return; }
    if (UNREAD.has(tagOf(el)) || !visible(el)) return;
    if (into.length && into[into.length - 1].el.contains(el) && into[into.length - 1].whole) return;
    const own = [...GET.nodes.call(el)].some((node) => node.nodeType === 3 && fold(node.data)) || runs(el);
    if (!own && role !== "heading") return;
    const text = textOf(el, (other) => other !== el && isControl(other));
    if (text) into.push({ el, text, role, section: where, whole: true });
  };
  visit(document.body ?? document.documentElement, "", false);
  if ([fields, buttons, links, options].some((parts) => parts.length >= PART_LIMIT) || surfaces.length >= 60) truncated = true;
  return compose({ fields, selects, combos, buttons, links, toggles, options, texts, surfaces, layers, tables, lists, repeated, medias, meters, timers,
    alerts, waiting, forms, frames, drawn, seen, truncated });
};
const overOf = (el) => (visible(el) || !hostOf(el) ? "" : selectorOf(hostOf(el)));
// Whether all that stands beside it is hidden from who is read to, or can't be used: how libraries make a dialog modal.
const alone = (el) => {
  const others = [...document.body.children].filter((kid) => !inner(kid, el) && !["script", "style", "template", "noscript"].includes(tagOf(kid)) && visible(kid));
  return others.length > 0 && others.every((kid) => attr(kid, "aria-hidden") === "true" || has(kid, "inert"));
};
// A box of a pixel or less, out of which nothing hangs: made for programs that read aloud, or folded away.
const isSliver = (el) => {
  if (styleOf(el).display === "contents" || drawnFor(el)) return false;
  const thin = (at) => { const box = boxOf(at); return box[2] < 2 || box[3] < 2; };
  return thin(el) && kids(el).every(thin);
};
// A card that can be pressed is called by its heading, not by all that stands on it.
const cardName = ({ el, stated }) => {
  if (stated || tagOf(el) === "button") return "";
  const heads = [...el.querySelectorAll("h1,h2,h3,h4,h5,h6,[role=heading]")].filter(visible);
  return heads.length === 1 ? textOf(heads[0], null, 80) : "";
};
// What only looks like a button and is only a picture is called by its tooltip; the picture's own words may be "icon".
const pictured = ({ el, stated }) => {
  if (stated || textOf(el, (at) => tagOf(at) === "img" || tagOf(at) === "svg", 4)) return "";
  return fold([el, ...el.querySelectorAll("[title]")].map((at) => attr(at, "title")).find(Boolean) ?? "", 80);
};
// Whether the place on this page that a link names is there.
const placeOf = (href) => {
  if (!href.startsWith("#") || href.length < 2 || href === "#top") return null;
  const name = decodeURIComponent(href.slice(1).replace(/%(?![0-9a-f]{2})/gi, "%25"));
  return Boolean(document.getElementById(name) || document.getElementsByName(name).length);
};
const inHead = (el) => Boolean(el.closest("th:not([scope=row]),[role=columnheader]"));
const inner = (outer, el) => { for (let at = el; at; at = parentOf(at)) if (at === outer) return true; return false; };
const compose = (got) => {
  const fields = got.fields.map((entry) => ({ ...entry, raw: { ...fieldOf(entry.el, entry.role), section: entry.section } }));
  const fieldFor = (entry) => fields.find(({ el }) => el === entry.el).raw;
  const choices = [
    ...statedChoices(got.options), ...got.selects.map((entry) => selectChoice(entry.el, fieldFor(entry))),
    ...got.combos.map((entry) => comboChoice(entry.el, fieldFor(entry))),
  ];
  const controlled = new Set(choices.map(({ list }) => list).filter(Boolean));
  choices.splice(0, choices.length, ...choices.filter(({ el, raw }) => raw.kind !== "listbox" || !controlled.has(el)));
  // Collections first: the row of buttons in an item is no choice.
  const collections = [];
  const chosenFrom = new Set(choices.flatMap(({ members }) => members));
  const keep = (entry, kind, raw) => {
    if (!raw) return;
    const name = nameOf(entry.el, roleOf(entry.el)) || headIn(entry.el, raw.els) || entry.section || wordsBefore(entry.el);
    collections.push({ el: entry.el, els: raw.els, raw: { ...base(entry.el, roleOf(entry.el), name), section: entry.section, kind, ...raw, els: undefined } });
  };
  // A row that has a select in it is no option.
  const isChoiceList = (members) => members.length > 0 && members.every((item) => [...chosenFrom].some((el) => item === el || (item.contains(el) && tagOf(el) !== "select")));
  got.tables.forEach((entry) => keep(entry, "table", tableOf(entry.el)));
  const inTables = (el) => collections.some((one) => one.raw.kind === "table" && one.el !== el && one.el.contains(el));
  const lonely = (item) => { const found = item.querySelectorAll("a,button,[role=link]"); return found.length === 1 && textOf(item) === textOf(found[0]); };
  const pressRows = [], pagers = new Set();
  for (const entry of got.lists) {
    const members = kids(entry.el).filter((kid) => (tagOf(kid) === "li" || ["listitem", "article"].includes(roleOf(kid))) && visible(kid));
    const inNav = inMenu(entry.el, members);
    const alone = members.length > 1 && members.every(lonely);
    if (isPager(members)) pagers.add(entry.el);
    if (isChoiceList(members) || inNav || inPageFoot(entry.el) || pagers.has(entry.el) || (!members.length && awaitsMessages(entry.el))) continue;
    if (alone) { pressRows.push(entry.el); }
    if (!inTables(entry.el)) keep(entry, "list", listOf(entry.el, members));
  }
  for (const entry of got.repeated) {
    if (isChoiceList(entry.like) || inPageFoot(entry.el) || inMenu(entry.el, entry.like)) continue;
    keep(entry, "repeated", listOf(entry.el, entry.like));
  }
  const owners = new Map();  // element of an item → which
  collections.forEach((one, i) => one.els.forEach((el, j) => owners.set(el, [i, j])));
  const itemAt = (el) => { for (let at = el; at; at = parentOf(at)) if (owners.has(at)) return owners.get(at); return null; };
  const rows = rowChoices([...got.buttons.filter(({ stated }) => stated), ...got.links, ...got.toggles.filter(({ role }) => role === "button")]
    .filter(({ el }) => { const at = itemAt(el); return !inHead(el) && (at === null || pressRows.includes(collections[at[0]].el)); }));
  for (const row of rows) {
    choices.push(row);
    row.members.forEach((el) => chosenFrom.add(el));
    // What was taken for a list is a row of filters or of pages.
    const index = collections.findIndex((one) => one.el === row.el || (one.els.length > 0 && one.els.every((el) => row.members.some((member) => el.contains(member)))));
    if (index >= 0) {
      collections[index].els.forEach((el) => owners.delete(el));
      collections[index].dropped = true;
    }
  }
  // The head of a table may be a table of its own, so that it stays while the other is scrolled.
  collections.forEach((head, i) => {
    const body = collections[i + 1];
    if (head.raw.kind !== "table" || head.raw.count || !head.raw.columns.length || body?.raw.kind !== "table" || body.raw.columns.length) return;
    if (body.raw.items[0]?.cells.length !== head.raw.columns.length) return;
    Object.assign(body.raw, { columns: head.raw.columns, sort: head.raw.sort });
    body.head = head.el;
    head.dropped = true;
  });
  const shown = collections.filter((one) => !one.dropped);
  const indexOf = new Map(shown.map((one, i) => [collections.indexOf(one), i]));
  const place = (el) => { const at = itemAt(el); return at && indexOf.has(at[0]) ? { collection: indexOf.get(at[0]), item: at[1] } : { collection: -1, item: -1 }; };
  // A sheet that only holds a dialog or menu is its backdrop, an empty one the backdrop's other half.
  const held = (el) => got.layers.find((one) => one.kind !== "overlay" && inner(el, one.el));
  for (const sheet of got.layers.filter(({ kind }) => kind === "overlay")) { const own = held(sheet.el); if (own) own.reach = sheet.el; }
  got.layers = got.layers.filter(({ el, kind }) => kind !== "overlay" || (!held(el) && textOf(el, null, 10)));
  const layerOf = (el) => { for (let i = got.layers.length - 1; i >= 0; i -= 1) if (inner(got.layers[i].el, el)) return i; return -1; };
  const full = ({ el, section }, raw) => ({ ...raw, section: raw.section ?? section ?? "", ...place(el), layer: layerOf(el), in_choice: chosenFrom.has(el) });
  const pressed = (entry) => {
    const name = cardName(entry) || pictured(entry) || nameOf(entry.el, entry.role || "button") || textOf(entry.el), native = ["button", "input", "summary"].includes(tagOf(entry.el));
    return full(entry, { ...base(entry.el, entry.role, name), icon: name ? "" : iconOf(entry.el), expanded: expandedOf(entry.el), opens: attr(entry.el, "aria-haspopup"), native, stated: entry.stated !== false || has(entry.el, "onclick"), over: overOf(entry.el) });
  };
  const linked = (entry) => full(entry, { ...base(entry.el, "link", nameOf(entry.el, "link")), href: typeof entry.el.href === "string" ? entry.el.href : attr(entry.el, "href"), there: placeOf(attr(entry.el, "href")), over: overOf(entry.el) });
  const worded = (text) => (/\p{L}/u.test(text) ? text : "");  // the number of a row is no name
  const itemWords = (el) => { const at = itemAt(el); return at ? fold(told(collections[at[0]].els[at[1]]).map(({ text }) => text).filter(worded).slice(0, 3).join(" ")) : ""; };
  const toggled = (entry) => full(entry, {
    ...base(entry.el, entry.role, nameOf(entry.el, entry.role) || worded(nearby(entry.el)) || itemWords(entry.el)),
    on: Element.prototype.matches.call(entry.el, ":indeterminate") || attr(entry.el, "aria-checked") === "mixed" ? null : stateOf(entry.el) === true, required: has(entry.el, "required"),
  });
  const stepping = new Set(fields.flatMap(({ el }) => steppersOf(el)));
  const pressables = got.buttons.filter(({ el }) => !stepping.has(el) && !el.closest("[role=toolbar]") && !/^[\d.,%\s]+$/.test(textOf(el, null, 12)) && place(el).item < 0 && !chosenFrom.has(el) && !inHead(el));
  const native = got.forms.map((entry) => ({ el: entry.el, native: tagOf(entry.el) === "form", fields: fields.filter(({ el }) => el.form === entry.el || inner(entry.el, el)), section: entry.section }));
  const between = shown.filter(({ raw }) => raw.count > 0).map(({ el }) => el);
  const insideForm = (el) => native.some((form) => inner(form.el, el));
  const forms = [...native, ...looseForms(fields.filter(({ el }) => place(el).item < 0), pressables.filter(({ el }) => !insideForm(el)), insideForm, between)].map((form) => {
    const sends = ({ el }) => (form.native ? el.form === form.el || inner(form.el, el) : !insideForm(el) && !form.fields.every((field) => parted(field.el, el, between)));
    const submit = submitOf(form.el, form.native, pressables.filter(sends));
    const section = form.section ?? form.fields[0]?.raw.section ?? "";
    return { el: form.el, raw: full({ el: form.el, section }, {
      ...base(form.el, "form", nameOf(form.el, "form")), native: form.native, fields: form.fields.map(({ raw }) => raw.node),
      toggles: got.toggles.filter(({ el }) => inner(form.el, el) && place(el).item < 0).map(({ el }) => numberOf(el)),
      choices: choices.filter(({ el, members }) => inner(form.el, el) || members.every((member) => inner(form.el, member))).map(({ raw }) => raw.node),
      submit: submit ? numberOf(submit) : 0,
    }) };
  }).filter(({ raw }) => raw.fields.length + raw.toggles.length + raw.choices.length > 0);

  const labels = new Set();
  got.fields.concat(got.toggles).forEach(({ el }) => { labelsOf(el).forEach((label) => labels.add(label)); referred(el, "aria-labelledby").forEach((label) => labels.add(label)); });
  // What stands right above an element that begins its box, and the box its box: the caption of a tile. Of a definition its term.
  const above = (el) => {
    for (let at = el, level = 0; at instanceof Element && level < 3; at = parentOf(at), level += 1) {
      let near = GET.previous.call(at);
      while (near && !isControl(near) && !/\p{L}/u.test(textOf(near, null, 20))) near = GET.previous.call(near);  // a picture, a sign of money
      if (near) return isControl(near) ? "" : textOf(near, isControl, 80);
    }
    return "";
  };
  // Words that a style sheet writes beside a bare value: people read them as its label.
  const drawn = (el, text) => (!/\d/.test(text) || /\p{L}/u.test(text) ? "" : ["::before", "::after"]
    .map((place) => getComputedStyle(el, place).content).filter((words) => /^".*\p{L}{3}.*"$/u.test(words)).map((words) => fold(words.slice(1, -1), 80))[0] ?? "");
  const texts = got.texts.map(({ el, text, role, section }) => {
    const foot = tagOf(el) === "td" || tagOf(el) === "th" ? kids(parentOf(el))[0] : null;
    let near = foot && foot !== el ? foot : GET.previous.call(el);
    for (let tries = 0; near && tries < 3 && !isControl(near) && !textOf(near, null, 2); tries += 1) near = GET.previous.call(near);
    const up = parentOf(el), after = Element.prototype.matches.call(el, ":first-child") ? el.nextElementSibling : null;
    return full({ el, section }, {
      ...base(el, role, ""), text, level: role === "heading" ? Number(attr(el, "aria-level") || tagOf(el)[1]) || 0 : 0,
      label: labels.has(el) || tagOf(el) === "label" || [...pagers].some((pager) => pager.contains(el)), tag: tagOf(el), said: tagOf(el) === "time" ? attr(el, "datetime") : tagOf(el) === "data" ? attr(el, "value") : "",
      before: near && !isControl(near) ? textOf(near, isControl, 80) : up && tagOf(up) === "dd" ? above(el) : "", above: above(el), after: after && !isControl(after) ? textOf(after, isControl, 80) : "",
      drawn: drawn(el, text), aria: fold(attr(el, "aria-label") || attr(up ?? el, "aria-label"), 80), contrast: contrastOf(el), reddish: text.length < 200 && reddish(el),
    });
  });
  const layers = got.layers.map((entry) => {
    const { el, kind } = entry, modal = attr(el, "aria-modal") === "true" || Element.prototype.matches.call(el, ":modal") || (kind === "dialog" && alone(el));
    return { el, reach: entry.reach ?? el, raw: { ...base(el, entry.role, nameOf(el, "dialog") || fold([...el.querySelectorAll("h1,h2,h3,h4,[role=heading]")].filter(visible).map((one) => one.textContent)[0] ?? "")), kind, modal, text: textOf(el), section: entry.section } };
  });
  // What a layer covers: controls at whose middle the topmost element is the layer's.
  const covering = layers.filter(({ raw }) => raw.kind !== "toast" && raw.kind !== "tooltip");
  const covered = new Map();
  if (covering.length) {
    const parts = [...got.buttons, ...got.links, ...got.fields, ...got.toggles].map(({ el }) => [el, numberOf(el)]);
    const others = [...choices.map(({ el, raw, members }) => [members[0] ?? el, raw.node]), ...got.drawn.map((el) => [el, numberOf(el)])];
    for (const [el, node] of [...parts.slice(0, 300), ...others.slice(0, 100)]) {
      const [x, y, width, height] = boxOf(el), at = document.elementFromPoint(x + width / 2, y + height / 2);
      if (!at || inner(el, at)) continue;
      const owner = covering.findIndex((layer) => !inner(layer.el, el) && (inner(layer.reach, at) || (layer.raw.modal && at === layer.el)));
      const sheet = owner >= 0 ? owner : covering.findIndex((layer) => layer.raw.modal && !inner(layer.el, el));
      if (sheet >= 0) covered.set(node, layers.indexOf(covering[sheet]));
    }
  }
  layers.forEach(({ raw }, i) => { raw.covers = [...covered].filter(([, layer]) => layer === i).map(([node]) => node); });
  const running = document.getAnimations().filter((one) => one.playState === "running");
  const processes = [
    ...running.slice(0, 40).map((one) => ({ el: one.effect?.target, kind: "animation", endless: one.effect?.getComputedTiming().endTime === Infinity })),
    ...got.medias.filter(({ el }) => !el.paused && !el.ended).map(({ el }) => ({ el, kind: "media", endless: el.loop })),
    ...got.timers.map(({ el }) => ({ el, kind: "timer", endless: false })),
    ...got.meters.filter(({ el, role }) => role === "progressbar" && !has(el, "value") && !has(el, "aria-valuenow")).map(({ el }) => ({ el, kind: "progress", endless: true })),
    ...got.waiting.map((el) => ({ el, kind: "progress", endless: true })),
  ].filter(({ el }) => el instanceof Element).map(({ el, kind, endless }) => ({ ...base(el, roleOf(el), nameOf(el)), kind, endless, section: "" }));
  const values = got.meters.map(({ el, role, section }) => full({ el, section }, {
    ...base(el, role, nameOf(el, role) || nearby(el)), value: String(tagOf(el) === "meter" || (tagOf(el) === "progress" && has(el, "value")) ? el.value : attr(el, "aria-valuenow")),
    maximum: String(el.max ?? attr(el, "aria-valuemax")), shown: attr(el, "aria-valuetext"),
  }));
  const errors = got.alerts.filter((el) => !wellMeant(el)).map((el) => full({ el }, { ...base(el, "alert", ""), text: textOf(el) }));
  const turning = (raw) => raw.options.filter(({ name }) => /^\d{1,3}$/.test(name)).length > raw.options.length / 3;
  // The part of the page that it stands in. Boxes that hardly anything else is in are how a library draws it: they don't count.
  const common = (el) => {
    const area = (at) => boxOf(at)[2] * boxOf(at)[3];
    for (let at = parentOf(el), n = 0, climbs = 0; at && climbs < 14; at = parentOf(at), climbs += 1) {
      if (/^(section|main|article|body|form)$/.test(tagOf(at)) || /region|tabpanel|dialog/.test(attr(at, "role")) || n === 5) return at;
      if (area(at) > 1.4 * area(el)) n += 1;
    }
    return document.body;
  };
  const over_ = (one) => {
    const home = common(one.el), wider = common(home);
    const near = (el) => inner(home, el) && !inner(one.el, el);
    const choosing = (within) => choices.filter(({ el, raw }) => within(el) && raw.kind !== "menu" && !turning(raw)).map(({ raw }) => raw.node);
    // A list alone in the section around its own is governed from there, too: from a foot below it.
    const alone = tagOf(wider) !== "body" && !shown.some((other) => other !== one && inner(wider, other.el) && !inner(one.el, other.el));
    const own = choosing(near);
    return {
      filters: own.length || !alone ? own : choosing((el) => inner(wider, el) && !inner(one.el, el)),
      searches: fields.filter(({ el, raw }) => near(el) && (raw.kind === "search" || /search/.test(attr(el, "role")) || el.closest("search,[role=search]"))).map(({ raw }) => raw.node),
      pages: got.buttons.concat(got.links).filter(({ el }) => near(el) && (el.closest("[aria-label*=pagination i],[role=navigation],nav") || /^\d{1,3}$/.test(textOf(el, null, 5)) || has(el, "rel")) && (el.closest("[aria-label*=pagination i]") || [...(parentOf(el)?.children ?? [])].some((other) => /^\d{1,3}$/.test(textOf(other, null, 5))))).map(({ el }) => numberOf(el)),
      sorts: got.buttons.filter(({ el }) => (inner(one.el, el) || (one.head && inner(one.head, el))) && inHead(el)).map(({ el }) => numberOf(el)),
    };
  };
  return {
    born: performance.timeOrigin, at: performance.timeOrigin + performance.now(), url: location.href, title: document.title, language: document.documentElement.lang || "", seen: got.seen, truncated: got.truncated,
    viewport: [innerWidth, innerHeight], scroll: [scrollX, scrollY], size: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    fields: fields.map((entry) => full(entry, entry.raw)), buttons: got.buttons.map(pressed), links: got.links.map(linked), toggles: got.toggles.filter(({ el }) => !chosenFrom.has(el)).map(toggled),
    choices: choices.map(({ el, raw, members }) => full({ el: members[0] ?? el }, { ...raw, section: raw.section ?? sectionBefore(got, el) })),
    collections: shown.map((one) => ({ ...one.raw, ...over_(one), parent: place(parentOf(one.el) ?? one.el), layer: layerOf(one.el) })),
    forms: forms.map(({ raw }) => raw), texts, meters: values, surfaces: got.surfaces, layers: layers.map(({ raw }) => raw), processes, errors, frames: got.frames, hollow: hollow(), refused: refusedWith(),
  };
};
// The status with which the server answered for this document, where that was no answer: 400 or more.
const refusedWith = () => { const status = performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0; return status >= 400 ? status : 0; };
// Whether what is stated to be the page's main part is there and has nothing in it that could be seen.
const hollow = () => {
  const mains = [...document.querySelectorAll("main,[role=main]")].filter((el) => getComputedStyle(el).display !== "none");
  const sized = (one) => one.offsetWidth !== 0 || one.offsetHeight !== 0 || one.getClientRects().length > 0;
  const drawn = (el, which) => { const style = getComputedStyle(el, which); return which ? style.content !== "none" && style.content !== "normal" : style.backgroundImage !== "none" || style.boxShadow !== "none"; };
  // What is drawn with boxes and gradients is something, too.
  const bare = (el) => !el.shadowRoot && !el.innerText.trim() && ![...el.querySelectorAll("*")].some(sized) && !drawn(el) && !drawn(el, "::before") && !drawn(el, "::after");
  return mains.length > 0 && mains.every(bare);
};
// Heading that stands before an element, in document order.
const sectionBefore = (got, el) => {
  let found = "";
  for (const text of got.texts) {
    if (text.role !== "heading") continue;
    if (text.el.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING) found = text.text; else break;
  }
  return found;
};
