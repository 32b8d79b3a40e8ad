// What a person could tell about one mark: where it is, what lies over it, its state, its group, its context.

const intersect = (a, b) => {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  // A rectangle of negative size would swap its edges and come back to life in the next cut.
  return new DOMRect(left, top, Math.max(Math.min(a.right, b.right) - left, 0), Math.max(Math.min(a.bottom, b.bottom) - top, 0));
};

/** The part of this frame's viewport that shows through the frames around it; the caller, who sees them, tells. */
let shownThrough = null;
sight.showThrough = (box) => {
  shownThrough = box && new DOMRect(...box);
};
const viewportRect = () => {
  const whole = new DOMRect(0, 0, innerWidth, innerHeight);
  return shownThrough ? intersect(whole, shownThrough) : whole;
};

/** The part of an iframe's content box that can be seen here, and which of some points on it really are the iframe's. */
sight.frameWindow = ({ selector, points }) => {
  const frame = bySelector(selector);
  if (!frame) return { box: [0, 0, 0, 0], free: points.map(() => false) };
  const part = visiblePart(frame, frame.getBoundingClientRect());
  return { box: [part.x, part.y, Math.max(part.width, 0), Math.max(part.height, 0)], free: points.map(([x, y]) => deepAt(x, y) === frame) };
};

/** Those ancestors that cut the element off, nearest first. */
const clippers = (element) => {
  const found = [];
  let position = getComputedStyle(element).position;
  for (let at = flatParent(element); at && at !== document.documentElement && at !== document.body; at = flatParent(at)) {
    if (position === 'fixed') break;
    const style = getComputedStyle(at);
    const skipped = position === 'absolute' && style.position === 'static' && style.transform === 'none';
    if (!skipped) {
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') found.push(at);
      position = style.position;
    }
  }
  return found;
};

/** The part of `rect` that is not cut off by ancestors of `element` or the edge of the viewport. */
const visiblePart = (element, rect) => clippers(element).reduce((part, clip) => intersect(part, clip.getBoundingClientRect()), intersect(rect, viewportRect()));

const spots = (rect, fine) => {
  const at = (x, y) => [rect.left + rect.width * x, rect.top + rect.height * y];
  const coarse = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.12, 0.2], [0.88, 0.2], [0.12, 0.8], [0.88, 0.8]];
  const grid = fine ? [0.05, 0.2, 0.35, 0.65, 0.8, 0.95].flatMap((y) => [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95].map((x) => [x, y])) : [];
  return [...coarse, ...grid].map(([x, y]) => at(x, y));
};

/** A point where pressing acts on the element and on nothing inside it that is a mark of its own. */
const freePoint = (element, rect, others) => {
  const mine = (hit) => {
    if (!hit || !actsOn(element, hit)) return false;
    for (let at = hit; at && at !== element; at = flatParent(at)) if (others?.has(at)) return false;
    return true;
  };
  const pieces = element.localName === 'area' ? [rect] : [...element.getClientRects()].sort((a, b) => area(b) - area(a)).slice(0, 3);
  const fine = element instanceof SVGElement || element.localName === 'area';
  for (const piece of pieces.length ? pieces : [rect]) {
    const part = visiblePart(bodyOf(element) || element, piece);
    if (part.width < 1 || part.height < 1) continue;
    for (const [x, y] of spots(part, fine)) if (mine(deepAt(x, y))) return [x, y];
  }
  return null;
};

const placeOf = (thing, others) => {
  const { element } = thing;
  const rect = rectOf(element);
  const part = element === document.body ? viewportRect() : visiblePart(bodyOf(element) || element, rect);
  const inView = part.width >= 2 && part.height >= 2;
  const point = inView ? freePoint(element, rect, others) : null;
  const box = inView ? part : rect;
  return {
    box: [box.x, box.y, box.width, box.height],
    point: point || [box.x + box.width / 2, box.y + box.height / 2],
    inView,
    covered: inView && !point,
  };
};

const truth = (value) => (value === 'true' ? true : value === 'false' ? false : null);

const stateOf = (element) => {
  const control = (element.localName === 'label' && element.control) || element;
  const aria = (name) => control.getAttribute(`aria-${name}`);
  const input = control.localName === 'input';
  const toggles = input && (control.type === 'checkbox' || control.type === 'radio');
  const secret = input && control.type === 'password';
  const text = input || ['textarea', 'select', 'progress', 'meter'].includes(control.localName) ? String(control.value ?? '') : control.isContentEditable ? shownText(control) : aria('valuetext') || aria('valuenow') || '';
  const listed = control.localName === 'select' ? [...control.options].map(({ value }) => value) : input && control.list ? [...control.list.options].map(({ value }) => value) : [];
  const details = control.localName === 'summary' && control.parentElement?.localName === 'details' ? control.parentElement : null;
  return {
    type: input || control.localName === 'button' ? control.type : '',
    value: toggles ? '' : secret ? '•'.repeat(text.length) : text.slice(0, 500),
    checked: toggles ? (control.indeterminate ? null : control.checked) : truth(aria('checked') ?? aria('pressed') ?? aria('selected')) ?? (['false', '', null].includes(aria('current')) ? null : true),
    disabled: control.matches(':disabled') || aria('disabled') === 'true',
    expanded: details ? details.open : truth(aria('expanded')),
    readonly: Boolean(control.readOnly) || aria('readonly') === 'true',
    focusable: control.tabIndex >= 0,
    href: typeof control.href === 'string' ? control.href.slice(0, 500) : (control.href?.baseVal ?? '').slice(0, 500),
    inputMode: control.getAttribute('inputmode') ?? '',
    placeholder: fold(control.getAttribute('placeholder')),
    options: listed.slice(0, 50).map((value) => value.slice(0, 120)),
    optionNames: control.localName === 'select' ? [...control.options].slice(0, 50).map(({ label }) => fold(label)) : [],
    minimum: aria('valuemin') ?? control.getAttribute('min') ?? '',
    maximum: aria('valuemax') ?? control.getAttribute('max') ?? '',
    step: control.getAttribute('step') ?? '',
    required: Boolean(control.required) || aria('required') === 'true',
    pattern: control.getAttribute('pattern') ?? '',
  };
};

const CURRENT = /^(?:is-|nav-|tab-|item-)?(?:active|selected|current|chosen)$/i;
const marked = (element) => [...element.classList].some((name) => CURRENT.test(name));

/** Whether its class, or its row's, calls it the chosen one among siblings that are not: what most pages do in place of ARIA. */
const isCurrent = (element) => {
  for (let at = element, depth = 0; at && depth < 2 && at.parentElement; at = at.parentElement, depth += 1) {
    const rest = [...at.parentElement.children].slice(0, 60).filter((other) => other !== at && other.localName === at.localName);
    if (marked(at) && rest.some((other) => !marked(other))) return true;
  }
  return false;
};

/** Of a link to a part of the page: nothing where the part shows, `astray` where there is none, `shut` where it is there and hidden.
 *
 * What begins with a stroke or an exclamation mark is a view of a script's.
 */
const wayOf = (element) => {
  const href = element.localName === 'a' ? element.getAttribute('href') : null;
  if (!href || !/^#[^/!]/.test(href) || href === '#top') return '';
  let part = href.slice(1);
  try {
    part = decodeURIComponent(part);
  } catch {
    // As written, then.
  }
  const root = element.getRootNode();
  const found = root.getElementById?.(part) || document.getElementById(part) || document.getElementsByName(part)[0];
  return !found ? 'astray' : found.checkVisibility() ? '' : 'shut';
};

const LOOK = [
  'color', 'backgroundColor', 'backgroundImage', 'borderTopColor', 'borderBottomColor', 'borderLeftColor', 'borderTopWidth',
  'borderBottomWidth', 'fontWeight', 'fontStyle', 'textDecorationLine', 'opacity', 'boxShadow', 'transform', 'filter',
];
/** How an element is painted, whatever it says and wherever it stands. */
const paintOf = (element, part) => {
  const style = getComputedStyle(element, part);
  return LOOK.map((name) => style[name]).join('|');
};
const lookOf = (element) => digest(paintOf(element)).slice(0, 8);

const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading]';
const LANDMARKS = { nav: 'navigation', header: 'header', footer: 'footer', aside: 'aside', form: 'form', dialog: 'dialog' };

const TITLED = new Set(['fieldset', 'table', 'figure']);
const TITLES = new Set(['legend', 'caption', 'figcaption']);

const headingBefore = (element) => {
  let steps = 0;
  for (let other = element.previousElementSibling; other && steps < 12; other = other.previousElementSibling, steps += 1) {
    if (other.matches(HEADINGS)) return other;
    // A heading inside a sibling speaks for what follows only if the sibling is no more than a title.
    if (other.childElementCount > 4 || other.querySelector('button, a, input, select, textarea, canvas')) continue;
    const within = other.querySelectorAll(HEADINGS);
    if (within.length) return within[within.length - 1];
  }
  return null;
};

/** The nearest heading, legend, caption or labelled region above it. */
const contextOf = (element) => {
  let landmark = '';
  for (let at = element, depth = 0; at && depth < 15 && at !== document.body; at = flatParent(at), depth += 1) {
    const label = at === element ? '' : fold(at.getAttribute('aria-label') || byIds(at, 'aria-labelledby').map((other) => shownText(other)).join(' '), 80);
    if (label) return label;
    const titled = TITLED.has(at.localName) && [...at.children].find((child) => TITLES.has(child.localName));
    if (titled && titled !== element) return shownText(titled, 80);
    const heading = headingBefore(at);
    if (heading && heading.checkVisibility()) return shownText(heading, 80);
    landmark ||= LANDMARKS[at.localName] || '';
  }
  return landmark;
};

let kinds = new Map();
const kindOf = (element) => {
  const known = kinds.get(element);
  if (known) return known;
  const inner = [...element.children].slice(0, 2).map(({ localName }) => localName);
  const kind = `${element.localName}|${element.getAttribute('role') || ''}|${element.getAttribute('type') || ''}|${inner}`;
  kinds.set(element, kind);
  return kind;
};

/** Siblings by kind, worked out once a parent: a list of thousands is looked at once, not once for each of its items. */
let families = new Map();
const alike = (element) => {
  const parent = element.parentElement || element.getRootNode();
  let family = families.get(parent);
  if (!family) {
    family = new Map();
    for (const child of parent.children) {
      const kind = kindOf(child);
      if (family.has(kind)) family.get(kind).push(child);
      else family.set(kind, [child]);
    }
    families.set(parent, family);
  }
  return family.get(kindOf(element)) || [element];
};

const FIELDS = 'input, select, textarea';
const brief = (element) => maskDigits(element.matches(FIELDS) ? nameOf(element) : fold(element.textContent.slice(0, 200), 40));
let texts = new Map();
/** How many different short texts a family has, digits aside. */
const differentTexts = (family) => {
  if (!texts.has(family)) texts.set(family, new Set(family.slice(0, 60).map(brief)).size);
  return texts.get(family);
};

const LANDMARK_LIKE = new Set(['section', 'nav', 'header', 'footer', 'aside', 'main', 'form', 'fieldset']);

/** The repeated item a mark is or belongs to, with all its like; null if it stands alone. */
const repeatedItem = (element) => {
  for (let at = element, depth = 0; at && depth < 5 && at !== document.body; at = at.parentElement, depth += 1) {
    const siblings = alike(at);
    if (siblings.length < (LANDMARK_LIKE.has(at.localName) ? 3 : 2) || at.localName === 'label') continue;
    const rows = at.parentElement && at === element ? alike(at.parentElement) : [];
    if (rows.length < 2 || rows.length > 60) return { item: at, all: siblings };
    return { item: at, all: rows.flatMap((row) => [...row.children].filter((other) => kindOf(other) === kindOf(at))) };
  }
  return null;
};

/**
 * Equal for repeated things of one kind: parts of cards and rows, cells of a board, many like buttons. Controls that stand side by
 * side with names of their own (a menu, a toolbar) are no group, unless there are very many.
 */
const groupOf = (element) => {
  const found = repeatedItem(element);
  if (!found) return '';
  const { item, all } = found;
  if (item !== element && element.matches(FIELDS)) {
    // Rows of a form are alike and ask for different things; rows of a list ask the same of each.
    const others = all.slice(0, 20).map((other) => other.querySelector(element.localName)).filter(Boolean);
    if (new Set(others.map(brief)).size > 1) return '';
  }
  const bare = item === element || fold(item.textContent) === fold(element.textContent);
  if (bare && all.length <= 12) {
    if (differentTexts(all) > (all.length >= 9 ? 3 : 1)) return '';
  }
  return digest(`${structureOf(item)}|${kindOf(item)}|${structureOf(element)}|${roleOf(element)}`).slice(0, 10);
};

/** Equal shares of every group, as far as `limit` goes, in sight before out of sight; what stands alone comes first. */
const sample = (things, limit) => {
  if (things.length <= limit) return things;
  const groups = new Map();
  for (const thing of things) {
    const key = thing.group || `${roleOf(thing.element)}|${structureOf(thing.element)}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(thing);
  }
  const sizes = [...groups.values()].map((group) => group.length);
  let share = 0;
  while (share < limit && sizes.reduce((sum, size) => sum + Math.min(size, share + 1), 0) <= limit) share += 1;
  const seen = ({ rect }) => (rect.bottom > 0 && rect.top < innerHeight ? 0 : 1);
  const chosen = [...groups.values()].flatMap((group) => [...group].sort((a, b) => seen(a) - seen(b) || a.order - b.order).slice(0, Math.max(share, 1)));
  return chosen.sort((a, b) => a.order - b.order).slice(0, limit);
};

const MEANINGFUL = ['role', 'aria-label', 'aria-labelledby', 'title', 'aria-roledescription', 'tabindex'];

const FORMATS = { bold: 'b, strong', italic: 'i, em', underlined: 'u, ins', struck: 's, strike, del', listed: 'li', headed: 'h1, h2, h3, h4, h5, h6', linked: 'a[href]' };

/** How text in an editor is formatted, by the elements it is marked up with. */
const formatsOf = (element) =>
  element.isContentEditable ? Object.keys(FORMATS).filter((name) => element.querySelector(FORMATS[name])).map((name) => `has ${name}`) : [];

const evidenceOf = (thing) => [
  ...thing.reasons.map((reason) => (reason === 'label' ? 'tag' : reason)),
  ...(isCurrent(thing.element) ? ['current'] : []),
  ...(wayOf(thing.element) ? [wayOf(thing.element)] : []),
  ...formatsOf(thing.element),
];

/** The marks of this frame as plain values, at most `limit`, in reading order. */
sight.marks = (given, ...extras) => {
  [kinds, families, texts] = [new Map(), new Map(), new Map()];
  forgetPlaces();
  const all = gather(given, extras);
  for (const thing of all.slice(0, 5000)) thing.group = groupOf(thing.element);
  const things = sample(all, given.limit);
  const others = new Set(things.map(({ element }) => element));
  const counted = new Map();
  const listed = things.map((thing) => {
    const { element } = thing;
    const key = keyOf(element);
    counted.set(key, (counted.get(key) || 0) + 1);
    return {
      kind: element.localName === 'canvas' ? 'canvas' : 'element',
      role: roleOf(element),
      name: nameOf(element),
      tag: element.localName,
      ...placeOf(thing, others),
      ...stateOf(element),
      selector: selectorOf(element, true),
      draggable: element.getAttribute('draggable') === 'true' || /^(grab|grabbing|move)$/.test(thing.cursor),
      listeners: thing.delegated ? [] : thing.types,
      evidence: evidenceOf(thing),
      signature: digest(`${key}|${counted.get(key)}`),
      group: thing.group || '',
      context: contextOf(element),
      look: lookOf(element),
      order: thing.order,
      focused: sight.focused !== null && (sight.focused === element || element.control === sight.focused),
      index: thing.index ?? -1,
      extra: thing.extra ?? -1,
      control: element.localName === 'label',
      // The accessibility tree has nothing to say about a plain box that only listens.
      mute: !isStrong(thing) && !MEANINGFUL.some((attribute) => element.hasAttribute(attribute)),
    };
  });
  sight.labelled = things.filter(({ element }) => element.localName === 'label').map(({ element }) => element.control);
  return { marks: listed, found: all.length };
};
sight.labelledControls = () => sight.labelled || [];
