// Single parts: fields, buttons, links, toggles, layers, texts, surfaces, processes.
const truth = (text) => (text === "true" ? true : text === "false" ? false : null);
const STATES = ["aria-pressed", "aria-checked", "aria-selected"];
const stateOf = (el) => {
  if (tagOf(el) === "input" && (el.type === "checkbox" || el.type === "radio")) return el.checked;
  for (const name of STATES) if (has(el, name)) return truth(attr(el, name));
  const current = attr(el, "aria-current");
  if (current) return current !== "false";
  const said = attr(el, "data-state");
  if (said === "checked" || said === "on") return true;
  if (said === "unchecked" || said === "off") return false;
  return null;
};
const disabledOf = (el) => Element.prototype.matches.call(el, ":disabled") || attr(el, "aria-disabled") === "true";
const expandedOf = (el) => {
  if (tagOf(el) === "summary") return parentOf(el).open;
  return has(el, "aria-expanded") ? truth(attr(el, "aria-expanded")) : null;
};
const base = (el, role, name) => ({
  node: numberOf(el), role, name, selector: selectorOf(el), box: boxOf(el), disabled: disabledOf(el), id: GET.id.call(el),
});
// What an icon set calls the picture on a control: "trash 2" of lucide-trash-2, fa-trash, #trash. Sizes and styles are no names.
const ICON = /^(?:lucide|feather|fa|bi|mdi|ti|tabler-icon|octicon|ph|ri|icon)-([a-z][a-z0-9-]*)$/;
const STYLE = /^(?:solid|regular|light|thin|brands|duotone|fw|lg|sm|xs|xl|\d+x|spin|fill|bold|icon)$/;
const iconOf = (el) => {
  for (const one of [...el.querySelectorAll("svg,i,span,use")].slice(0, 8)) {
    const said = attr(one, "data-lucide") || attr(one, "data-feather") || attr(one, "data-icon") || (attr(one, "href").match(/#(?:icon-)?([\w-]+)$/) ?? [])[1];
    const classes = attr(one, "class").split(/\s+/).map((token) => (token.match(ICON) ?? [])[1]).filter((token) => token && !STYLE.test(token));
    if (said || classes.length) return fold((said || classes[0]).replaceAll("-", " ")).slice(0, 40);
  }
  return "";
};
// A magnifying glass drawn in a field's box, on no button: people take such a field for a search in any language.
const underGlass = (el) => {
  for (let at = parentOf(el), climbs = 0; at && climbs < 2; at = parentOf(at), climbs += 1) {
    if (boxOf(at)[3] > boxOf(el)[3] + 24 || at.querySelectorAll("input,select,textarea").length > 1) return false;
    if (!at.querySelector("button,[role=button]") && /^(?:search|magnif)/.test(iconOf(at))) return true;
  }
  return false;
};
const fieldKind = (el, role) => {
  const tag = tagOf(el);
  if (tag === "textarea") return "multiline";
  if (tag === "select") return "select";
  if (el.isContentEditable && tag !== "input") return role === "combobox" ? "combobox" : "rich";
  if (role === "combobox" || opensOptions(el, role)) return "combobox";
  if (role === "slider") return "slider";
  if (role === "spinbutton") return "number";
  if (role === "searchbox") return "search";
  if (tag !== "input") return "text";
  if (el.type === "datetime-local") return "datetime";
  if (el.type === "search" || attr(el, "enterkeyhint") === "search" || (el.type === "text" && underGlass(el))) return "search";
  return el.type;
};
// What stands in the page about an error of this field: what it refers to, else the browser's own words once it shows them.
const errorOf = (el) => {
  const invalid = attr(el, "aria-invalid") === "true";
  const told = referred(el, "aria-errormessage").filter(visible).map((other) => textOf(other));
  if (invalid && told.some(Boolean)) return fold(told.join(" "));
  const described = referred(el, "aria-describedby").filter(visible).map((other) => textOf(other));
  if (invalid && described.some(Boolean)) return fold(described.join(" "));
  if (!invalid && Element.prototype.matches.call(el, ":user-invalid")) return fold(el.validationMessage ?? "");
  return "";
};
// Without the star of a required field, and without a value shown in the label: "Limit: € 2,400".
const plainLabel = (words) => words.replace(/\s*[:：]\s*\D{0,4}\d[\d.,\s]*\D{0,4}$/, "").replace(/\s*[*:：]+\s*$/, "");
const fieldOf = (el, role) => {
  const tag = tagOf(el), kind = fieldKind(el, role), said = nameOf(el, role);
  // A combobox that is a button shows what is chosen: that is its value, and the words before it are its name.
  const words = kind === "combobox" && tag !== "input" ? textOf(el) : "", shown = words && said === words;
  // Labelled by its label and by itself: "Diet Everything".
  const named = words && said.endsWith(` ${words}`) ? said.slice(0, -words.length).trim() : said;
  const from = named && !shown && named !== fold(attr(el, "placeholder")) ? named : nearby(el) || named;
  const value = tag === "select" ? [...el.selectedOptions].map((option) => fold(option.text)).join(", ")
    : kind === "file" ? [...el.files].map((file) => file.name).join(", ")
      : tag === "input" || tag === "textarea" ? el.value
        : has(el, "aria-valuetext") ? attr(el, "aria-valuetext") : has(el, "aria-valuenow") ? attr(el, "aria-valuenow")
          : kind === "combobox" ? textOf(el).replace(/\s*[▾▼▿⌄˅⏷]+$/u, "") : textOf(el);
  const beside = kind === "combobox" && tag === "input" && !value ? besideOf(el) : null;
  const empty = kind === "combobox" && tag !== "select" && (beside ? faint(beside) : has(el, "data-placeholder") || /(?:…|\.\.\.)$/.test(value));
  const told = beside ? textOf(beside, null, 80) : value;
  const bound = (html, aria) => attr(el, html) || attr(el, aria);
  return {
    ...base(el, role, plainLabel(from)), kind, value: empty ? "" : told.slice(0, 2000), placeholder: attr(el, "placeholder") || (empty ? told.slice(0, 80) : ""),
    required: has(el, "required") || attr(el, "aria-required") === "true" || /\*\s*:?\s*$/.test(from),
    minimum: bound("min", "aria-valuemin"), maximum: bound("max", "aria-valuemax"), step: attr(el, "step"),
    pattern: attr(el, "pattern"), min_length: Number(attr(el, "minlength")) || 0, max_length: Number(attr(el, "maxlength")) || 0,
    accept: attr(el, "accept"), multiple: has(el, "multiple") || attr(el, "aria-multiselectable") === "true",
    read_only: has(el, "readonly") || attr(el, "aria-readonly") === "true", input_mode: attr(el, "inputmode"), autocomplete: attr(el, "autocomplete").toLowerCase(),
    invalid: attr(el, "aria-invalid") === "true" || Element.prototype.matches.call(el, ":user-invalid"), error: errorOf(el),
    wanting: attr(el, "aria-invalid") !== "true" && Element.prototype.matches.call(el, ":user-invalid") && Boolean(el.validity?.valueMissing),
    custom: !["input", "select", "textarea"].includes(tag), inferred: from !== said, focused: el === rootOf(el).activeElement,
  };
};
// What a combobox that is an empty input shows as chosen, drawn beside or over the input in its box.
const besideOf = (el) => {
  for (let at = parentOf(el), climbs = 0; at && climbs < 4; at = parentOf(at), climbs += 1) {
    if (boxOf(at)[3] > 64 || at.querySelectorAll("input,select,textarea").length > 1) return null;
    const found = leaves(at, 4).filter(({ el: leaf }) => leaf !== el && !isTyped(leaf) && !isControl(leaf));
    if (found.length) return found.length === 1 && tagOf(found[0].el) !== "label" ? found[0].el : null;
  }
  return null;
};
// Words in the pale ink of a placeholder.
const faint = (el) => { const told = contrastOf(el); return told !== null && told < 5; };
// A button that shows what is chosen and opens the list of options; beside a combobox to type into it is only that one's handle.
const opensOptions = (el, role) => role === "button" && attr(el, "aria-haspopup") === "listbox" && !parentOf(el)?.querySelector("[role=combobox]");
const EDITABLE = new Set(["textbox", "searchbox", "spinbutton", "slider", "combobox"]);
// A card, a row or a link may hold controls of its own, its menu, its "remove": what a person presses there is pressed by itself.
const HOLDERS = new Set(["button", "link", "press"]);
const nestedControl = (el) => {
  if (tagOf(el) !== "button" && !(tagOf(el) === "a" && has(el, "href"))) return false;
  // A button that is all that its link holds is the link.
  let at = parentOf(el);
  while (at && !/^(button|link)$/.test(roleOf(at)) && !has(at, "onclick") && !has(at, "tabindex") && textOf(at) === textOf(el)) at = parentOf(at);
  return Boolean(at) && (textOf(at) !== textOf(el) || at.querySelectorAll("button,a[href],img,svg").length > 1 + el.querySelectorAll("img,svg").length);
};
// What an element is to the hands: field, button, link, toggle, option of a choice; "" for none. `within`: what the control is that it lies in.
const classify = (el, role, within) => {
  const tag = tagOf(el);
  if (tag === "input" && el.type === "hidden") return "";
  if (role === "radio" || role === "tab" || role === "option" || role.startsWith("menuitem")) return tag === "option" ? "" : "option";
  if (role === "checkbox" || role === "switch") return "toggle";
  if (tag === "select") return "select";
  if (role === "combobox" && tag !== "input" && tag !== "textarea" && !el.isContentEditable) return el.querySelector("input") ? "" : "combobox";
  if (tag === "input" && role === "button") return "button";
  if (tag === "input" || tag === "textarea" || EDITABLE.has(role)) return within ? "" : "field";
  if (tag !== "html" && tag !== "body" && attr(el, "contenteditable") && attr(el, "contenteditable") !== "false") return "field";
  if (within && !(HOLDERS.has(within) && nestedControl(el))) return "";
  if (opensOptions(el, role)) return "combobox";
  if (role === "button") return has(el, "aria-pressed") ? "toggle" : "button";
  if (role === "link") return "link";
  if (holdsMany(el)) return "";
  if (has(el, "onclick") || (has(el, "tabindex") && attr(el, "tabindex") !== "-1" && !LANDMARKS.has(role) && tag !== "canvas")) return "press";
  return "";
};
// A part of the page that listens for all that it holds: fields, or a crowd of controls.
const HELD = "button,a[href],input,select,textarea,[role=button],[role=link],[contenteditable=true]";
const holdsMany = (el) => { const held = [...el.querySelectorAll(HELD)]; return held.length > 6 || held.some((one) => isTyped(one) || tagOf(one) === "select"); };
const LANDMARKS = new Set(["main", "navigation", "dialog", "alertdialog", "tabpanel", "list", "listbox", "table", "grid", "region", "menu", "group",
  "tablist", "radiogroup", "toolbar", "application", "feed", "tree", "status", "alert", "log", "img", "heading", "row", "gridcell", "listitem"]);

// Colour against what stands behind it (WCAG 2.2, 1.4.3); null where a picture lies behind, so that no ratio can be told.
const mixed = new Map();
// A colour of another space than sRGB (`oklch(…)`, as style sheets of today have them), as it is painted.
const painted = (text) => {
  if (!mixed.has(text)) {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    mixed.set(text, [red, green, blue, alpha / 255]);
  }
  return mixed.get(text);
};
const colourOf = (text) => {
  const found = text.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/);
  if (!found && /^(?:ok)?(?:lab|lch)\(|^color\(/.test(text)) return painted(text);
  return found ? [Number(found[1]), Number(found[2]), Number(found[3]), found[4] === undefined ? 1 : Number(found[4])] : null;
};
const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
const luminance = (colour) => {
  const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const grounds = memo();
const groundOf = (el) => {
  if (!el) return [255, 255, 255, 1];
  if (grounds.has(el)) return grounds.get(el);
  const style = styleOf(el), own = colourOf(style.backgroundColor);
  let ground = null;
  if (style.backgroundImage === "none" && own && (own[3] === 1 || style.position === "static" || style.position === "relative")) {
    const under = own[3] === 1 ? own : groundOf(parentOf(el));
    ground = under && over(own, under);
  }
  grounds.set(el, ground);
  return ground;
};
const contrastOf = (el) => {
  const ground = groundOf(el), ink = colourOf(styleOf(el).color);
  if (!ground || !ink) return null;
  const [light, dark] = [luminance(ground), luminance(over(ink, ground))].sort((a, b) => b - a);
  return Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100;
};
const reddish = (el) => {
  const ink = colourOf(styleOf(el).color);
  return Boolean(ink && ink[0] > 140 && ink[1] < 100 && ink[2] < 110 && ink[0] > 1.7 * Math.max(ink[1], ink[2]));
};

// Whether its colours say that all is well: green or blue, and nothing of red or orange.
const hueOf = (colour) => {
  if (!colour || colour[3] < 0.3) return null;
  const [most, least] = [Math.max(...colour.slice(0, 3)), Math.min(...colour.slice(0, 3))];
  if (most - least < 24 || (most - least) / most < 0.12) return null;
  const [red, green, blue] = colour, span = most - least;
  return (60 * (most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span) + 360) % 360;
};
const wellMeant = (el) => {
  const within = (at) => [at, ...kids(at).flatMap(within)];
  const hues = within(el).slice(0, 20).filter(visible).flatMap((at) => {
    const style = styleOf(at), lines = ["Left", "Top"].filter((side) => style[`border${side}Width`] !== "0px").map((side) => style[`border${side}Color`]);
    return [...(textOf(at, null, 4) ? [style.color] : []), style.backgroundColor, ...lines, ...(at instanceof SVGElement ? [style.fill, style.stroke] : [])];
  }).map((text) => hueOf(colourOf(text))).filter((hue) => hue !== null);
  return hues.some((hue) => hue > 80 && hue < 260) && !hues.some((hue) => hue < 60 || hue > 320);
};

const hash = (text) => {
  let value = 2166136261;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return (value >>> 0).toString(16);
};
const canvasDigest = (el) => {
  try {
    const small = new OffscreenCanvas(48, 48), pen = small.getContext("2d", { willReadFrequently: true });
    pen.drawImage(el, 0, 0, 48, 48);
    const pixels = pen.getImageData(0, 0, 48, 48).data;
    return { digest: hash(String.fromCharCode(...pixels)), blank: pixels.every((part, i) => part === pixels[i % 4]) };
  } catch { return { digest: "", blank: null }; }  // another site's picture was drawn on it
};
const surfaceOf = (el) => {
  const tag = tagOf(el), size = boxOf(el);
  if (size[2] < 48 || size[3] < 48) return null;
  if (tag === "canvas") return { ...base(el, "canvas", nameOf(el, "img")), kind: "canvas", shapes: {}, texts: [], ...canvasDigest(el) };
  const shapes = {}, texts = [];
  for (const part of el.querySelectorAll("rect,circle,ellipse,line,path,polygon,polyline,text,image")) {
    const kind = part.localName;
    shapes[kind] = (shapes[kind] ?? 0) + 1;
    if (kind === "text" && texts.length < 60) texts.push(fold(part.textContent, 80));
  }
  const count = Object.values(shapes).reduce((sum, one) => sum + one, 0);
  if (count < 3 && texts.length === 0 && size[2] < 120) return null;
  const title = [...GET.children.call(el)].find((kid) => kid.localName === "title");
  const name = nameOf(el, "img") || fold(title?.textContent ?? "");
  return { ...base(el, "img", name), kind: "svg", shapes, texts, digest: hash(el.innerHTML), blank: count === 0 };
};
const LAYER_ROLES = { dialog: "dialog", alertdialog: "dialog", menu: "menu", listbox: "menu", tooltip: "tooltip", alert: "toast", status: "toast", log: "" };
const floats = (el) => {
  for (let at = el, climbs = 0; at && climbs < 4; at = parentOf(at), climbs += 1) if (["fixed", "absolute", "sticky"].includes(styleOf(at).position)) return true;
  return false;
};
const layerKind = (el, role) => {
  if (has(el, "popover") && Element.prototype.matches.call(el, ":popover-open")) return LAYER_ROLES[role] || "popover";
  const kind = LAYER_ROLES[role] ?? "";
  if (kind === "menu") return floats(el) ? "menu" : "";
  if (kind === "toast") return floats(el) && textOf(el, null, 20) ? "toast" : "";
  return kind;
};
// A fixed sheet without a role that lies over the middle of the window.
const isSheet = (el) => {
  if (styleOf(el).position !== "fixed") return false;
  const box = boxOf(el);
  if (box[2] * box[3] < innerWidth * innerHeight * 0.12) return false;
  const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  return Boolean(at && (el === at || el.contains(at)));
};
