// Things the markup alone gives away: links that lead nowhere, labels that point at two elements, animations and titles nobody wrote.

const CONTROL_HINTS = [
  "role",
  "aria-expanded",
  "aria-controls",
  "aria-haspopup",
  "aria-pressed",
  "data-toggle",
  "data-bs-toggle",
  "data-target",
  "data-bs-target",
  "onclick",
  "onmousedown",
  "onpointerdown",
];

const goesNowhere = (href) =>
  /^(#|#!|)$/.test(href.trim()) || /^javascript:\s*(void\s*\(?\s*0?\s*\)?|;)?\s*;?$/i.test(href.trim());

const isScript = (el) => !attr(el, "type") || /javascript|module|babel/.test(attr(el, "type"));

// Whether any script of the page could listen to the link: its own words in it, or a listener on everything.
function mayBeHeard(el, own, external) {
  if (external) return true;
  for (let at = el; at; at = parentOf(at)) if (CONTROL_HINTS.some((name) => hasAttr(at, name))) return true;
  if (own === "") return false;
  if (
    /(document|window|body|root|app|container|main|nav|menu|list|footer|header)\w*\s*(\?\.|\.)\s*(addEventListener|on)\s*\(\s*["'`](click|pointer|mouse|touch)/i.test(
      own,
    )
  )
    return true;
  if (/["'`][^"'`\n]*(\ba\b|href)[^"'`\n]*["'`]\s*\)/.test(own) || /\.links\b/.test(own)) return true;
  for (let at = el, level = 0; at && level < 4; at = parentOf(at), level += 1) {
    const names = [idOf(at), ...(attr(at, "class") || "").split(/\s+/)].filter((name) => name.length > 1);
    if (names.some((name) => own.includes(name))) return true;
  }
  return false;
}

// The page's own scripts as one text, and whether there are others that cannot be read from here.
function scriptsOf() {
  const scripts = [...document.querySelectorAll("script")].filter(isScript).slice(0, 200);
  const external = scripts.some((el) => hasAttr(el, "src") || attr(el, "type") === "module");
  const own = scripts
    .map((el) => wordsOf(el) || "")
    .join("\n")
    .slice(0, 500000);
  return { count: scripts.length, external, own };
}

function deadLinks(records) {
  const { count, external, own } = scriptsOf();
  const links = records.filter((r) => r.tag === "a" && hasAttr(r.el, "href") && r.visible);
  const empty = links.filter((r) => goesNowhere(attr(r.el, "href")) && !/top|home|顶|首页/i.test(wordsOf(r.el)));
  const dead = empty.filter((r) => !mayBeHeard(r.el, own, external));
  return {
    links: links.length,
    empty: empty.length,
    scripted: count > 0,
    dead: dead
      .slice(0, 40)
      .map((r) => ({ selector: pathOf(r.el, r), text: wordsOf(r.el).trim().slice(0, 60), box: asBox(boundsOf(r.el)) })),
    dead_count: dead.length,
  };
}

// Only ids that something refers to matter when they are given twice.
function duplicateIds() {
  const found = [];
  const seen = new Set();
  for (const el of [...document.querySelectorAll("label[for], [aria-labelledby], [aria-describedby], [aria-controls]")].slice(
    0,
    1000,
  )) {
    const ids = ["for", "aria-labelledby", "aria-describedby", "aria-controls"].flatMap((name) =>
      (attr(el, name) || "").split(/\s+/),
    );
    for (const id of ids) {
      if (!id || seen.has(id)) continue;
      seen.add(id);
      const twins = document.querySelectorAll(`[id="${CSS.escape(id)}"]`);
      if (twins.length > 1 && found.length < 20)
        found.push({ id: id.slice(0, 60), count: twins.length, selector: pathOf(el), box: asBox(boundsOf(el)) });
    }
  }
  return found;
}

const ELEMENTS_LOOKED_AT = 4000;

// Names of all @keyframes; null where a sheet cannot be read, so that nothing can be said to be missing.
function keyframes() {
  const names = new Set();
  const into = (rules) => {
    for (const rule of rules) {
      if (rule instanceof CSSKeyframesRule) names.add(rule.name);
      else if (rule instanceof CSSImportRule) rule.styleSheet && into(rule.styleSheet.cssRules);
      else if (rule.cssRules && !(rule instanceof CSSStyleRule)) into(rule.cssRules);
    }
  };
  try {
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) into(sheet.cssRules);
  } catch {
    return null;
  }
  return names;
}

// Elements that are told to run an animation which is written nowhere, one for each name.
function unanimated() {
  const names = keyframes();
  const found = new Map();
  if (names === null) return [];
  for (const el of [...all(pageRoot, "*")].slice(0, ELEMENTS_LOOKED_AT)) {
    const style = getComputedStyle(el);
    if (style.animationName === "none" || style.display === "none") continue;
    const [lengths, box] = [style.animationDuration.split(","), boundsOf(el)];
    style.animationName.split(",").forEach((given, at) => {
      const name = given.trim().replace(/^"|"$/g, "");
      if (name === "none" || names.has(name) || found.has(name) || !(parseFloat(lengths[at % lengths.length]) > 0)) return;
      if (box.width > 2 && box.height > 2) found.set(name, { name, selector: pathOf(el), box: asBox(box) });
    });
  }
  return [...found.values()];
}

const FOCUSED = /:focus-visible|:focus-within|:focus/g;
const FOCUSABLE = "button, a[href], input:not([type='hidden']), select, textarea, [tabindex='0']";
const LEAST_FOCUSABLE = 3;

const removesOutline = (style) =>
  style.outlineStyle === "none" || /^0(px)?$/.test(style.outlineWidth) || /^(none|0|0px)$/.test(style.outline);

// Anything that tells a control in focus from the same control without.
const showsFocus = (style) =>
  (style.outline && !removesOutline(style)) ||
  (style.outlineStyle && style.outlineStyle !== "none") ||
  [style.boxShadow, style.borderColor, style.border, style.borderBottom, style.backgroundColor, style.background, style.textDecoration, style.color, style.transform, style.filter].some(
    (value) => value && value !== "none" && value !== "initial",
  );

// Style rules as `{selector, style, focus}`: of controls as they are, and of controls in focus; null where a sheet cannot be read.
function outlineRules() {
  const rules = [];
  const into = (list) => {
    for (const rule of list) {
      if (rule instanceof CSSStyleRule) {
        for (const selector of rule.selectorText.split(/,(?![^(]*\))/)) {
          if (/::/.test(selector)) continue;
          const focus = /:focus/.test(selector);
          if (focus || removesOutline(rule.style)) rules.push({ selector: selector.replace(FOCUSED, "").trim() || "*", style: rule.style, focus });
        }
      }
      if (rule.cssRules && !(rule instanceof CSSKeyframesRule) && (!rule.media || matchMedia(rule.media.mediaText).matches)) into(rule.cssRules);
    }
  };
  try {
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) into(sheet.cssRules);
  } catch {
    return null;
  }
  return rules;
}

// Controls whose outline is taken away and that no rule makes look otherwise in focus; empty where one of them shows it, for then
// the page has a way of its own.
function unseenFocus(records) {
  const rules = outlineRules();
  if (rules === null) return [];
  const fits = (el, selector) => {
    try {
      return matches(el, selector);
    } catch {
      return true;
    }
  };
  const unseen = [];
  let shown = 0;
  for (const r of records) {
    if (!r.visible || !matches(r.el, FOCUSABLE) || matches(r.el, ":disabled") || unseen.length > 200) continue;
    const own = rules.filter((rule) => fits(r.el, rule.selector));
    const removed = own.some((rule) => removesOutline(rule.style));
    if (removed && !own.some((rule) => rule.focus && showsFocus(rule.style))) unseen.push(r);
    else if (matches(r.el, "button, a[href]")) shown += 1;
  }
  return shown === 0 && unseen.length >= LEAST_FOCUSABLE ? unseen.slice(0, 3).map((r) => ({ selector: pathOf(r.el, r), count: unseen.length })) : [];
}

const LEAST_UNREACHED = 3;
const COMPOSITE = ["tablist", "menu", "menubar", "listbox", "grid", "treegrid", "tree", "radiogroup", "toolbar", "application", "combobox"]
  .map((role) => `[role='${role}']`)
  .join(",");

// Groups of like buttons or links of which the Tab key reaches none, though nothing else can be meant by their tabindex: no arrow
// key leads to them (a script that knows arrows, a composite role, a group that takes the focus itself), and none of them is a stop.
function unreached(records) {
  const { external, own } = scriptsOf();
  if (external || /Arrow(Left|Right|Up|Down)|keyCode|roving/.test(own)) return [];
  const groups = new Map();
  for (const r of records) {
    if (!r.visible || !matches(r.el, "button, a[href], [role='button']") || matches(r.el, ":disabled")) continue;
    const group = parentOf(r.el) || r.el;
    const like = `${tagOf(r.el)}.${(attr(r.el, "class") || "").split(/\s+/)[0]}`;
    const kept = groups.get(group) || new Map();
    groups.set(group, kept.set(like, [...(kept.get(like) || []), r]));
  }
  const found = [];
  for (const [group, kinds] of groups) {
    if (closest(group, `${COMPOSITE}, [tabindex]:not([tabindex='-1']), [aria-hidden='true'], [inert], [role='dialog'], dialog`)) continue;
    for (const like of kinds.values()) {
      const skipped = like.filter((r) => attr(r.el, "tabindex") === "-1" && attr(r.el, "aria-hidden") !== "true");
      if (skipped.length >= LEAST_UNREACHED && skipped.length === like.length) found.push({ first: like[0], count: like.length });
    }
  }
  const count = found.reduce((sum, one) => sum + one.count, 0);
  return found.slice(0, 1).map(({ first }) => ({ selector: pathOf(first.el, first), box: asBox(boundsOf(first.el)), count }));
}

function probe() {
  const { records, sampled } = census();
  return { ...deadLinks(records), duplicates: duplicateIds(), unanimated: unanimated(), unfocused: unseenFocus(records), unreached: unreached(records), title: pageTitle().slice(0, 300), sampled };
}
