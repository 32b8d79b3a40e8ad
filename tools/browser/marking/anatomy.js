// The page as a person meets it: one tree through slots and shadow roots, what lies topmost at a point, what a thing is and is
// called, and a path that finds it again. `sight` is shared by all scripts of Assay's world; the page's own world cannot see it.

const closedRoots = new WeakMap();
/** Closed shadow roots cannot be reached from script; the browser hands them over one by one (see `surveying.py`). */
sight.adopt = (...roots) => roots.forEach((root) => closedRoots.set(root.host, root));

const rootOf = (element) => element.shadowRoot || closedRoots.get(element) || null;

const flatParent = (node) => {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent && parent.nodeType === Node.ELEMENT_NODE ? parent : null;
};

const flatChildren = (element) => {
  const root = rootOf(element);
  if (root) return root.childNodes;
  if (element.localName === 'slot') {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return element.childNodes;
};

const flatContains = (outer, inner) => {
  for (let at = inner; at; at = flatParent(at)) if (at === outer) return true;
  return false;
};

/** The deepest element at a point of this frame's viewport, through open and closed shadow roots. */
const deepAt = (x, y) => {
  let found = null;
  for (let root = document; root; root = rootOf(found)) {
    const next = root.elementFromPoint(x, y);
    if (!next || next === found || next.getRootNode() !== root) break;
    found = next;
  }
  return found;
};

const NATIVE = new Set(['a', 'area', 'button', 'input', 'select', 'textarea', 'summary', 'label', 'option', 'audio', 'video']);

const WIDGETS = new Set([
  'button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'combobox',
  'textbox', 'searchbox', 'slider', 'spinbutton', 'scrollbar', 'treeitem', 'listbox',
]);

const isNative = (element) =>
  NATIVE.has(element.localName) && !((element.localName === 'a' || element.localName === 'area') && !element.hasAttribute('href'));

/** Whether it is not to be seen: out of the document, without a size, hidden, or clear. */
const isUnseen = (element) => {
  const rect = element.getBoundingClientRect();
  const beyond = rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0;
  return beyond || rect.width <= 2 || rect.height <= 2 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};

/** A switch that a library draws around its input; its label may stand elsewhere. The same as `shellOf` of the page's reader. */
const shellOf = (element) => {
  if (!element.matches('input[type=checkbox]') || !isUnseen(element)) return null;
  const shell = element.parentElement, rect = shell?.getBoundingClientRect();
  const small = rect && rect.width >= 16 && rect.height >= 12 && rect.width <= 120 && rect.height <= 60;
  return small && shell.checkVisibility({ visibilityProperty: true }) && shell.querySelectorAll('input, button, a[href]').length === 1 ? shell : null;
};

/** Whether a press on `hit` acts on `element`: it lies in it, with no other control between, or in its label, or in what is drawn for it. */
const actsOn = (element, hit) => {
  const shell = shellOf(element);
  for (let at = hit; at; at = flatParent(at)) {
    if (at === element || at === shell) return true;
    if (at.localName === 'label' && at.control === element) return true;
    if (element.localName === 'label' && element.control === at) return true;
    // A link around a button that is in no form: what is pressed there goes where the link leads.
    if (element.localName === 'a' && at.localName === 'button' && !at.form) continue;
    if (isNative(at) && at.localName !== 'label') return false;
  }
  return false;
};

const fold = (text, limit = 120) => {
  const folded = String(text == null ? '' : text).replace(/\s+/gu, ' ').trim();
  return folded.length > limit ? folded.slice(0, limit - 1).trimEnd() + '…' : folded;
};

/** Text of a subtree as far as it is rendered, shadow roots included, images by their alternative text. */
const shownText = (element, limit = 300) => {
  let text = '';
  const stack = [element];
  while (stack.length && text.length < limit) {
    const node = stack.pop();
    if (node.nodeType === Node.TEXT_NODE) {
      text += node.data;
      continue;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    if (['script', 'style', 'noscript', 'template', 'select', 'textarea'].includes(node.localName)) continue;
    if (node !== element && (node.getAttribute('aria-hidden') === 'true' || !node.checkVisibility({ visibilityProperty: true }))) continue;
    if (node.localName === 'img' || node.localName === 'area') text += ` ${node.alt} `;
    if (node.localName === 'br') text += ' ';
    const children = flatChildren(node);
    const apart = node !== element && !getComputedStyle(node).display.startsWith('inline');
    if (apart) text += ' ';
    for (let index = children.length - 1; index >= 0; index -= 1) stack.push(children[index]);
  }
  return fold(text, limit);
};

const byIds = (element, attribute) =>
  (element.getAttribute(attribute) || '')
    .split(/\s+/)
    .filter(Boolean)
    .map((id) => element.getRootNode().getElementById?.(id))
    .filter(Boolean);

const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio',
  range: 'slider', number: 'spinbutton', search: 'searchbox', color: 'color', date: 'date', 'datetime-local': 'datetime',
  month: 'month', week: 'week', time: 'time',
};

/** A role from the markup alone. The accessibility tree's word goes before it wherever there is one. */
const roleOf = (element) => {
  const given = (element.getAttribute('role') || '').trim().split(/\s+/)[0].toLowerCase();
  if (given && given !== 'presentation' && given !== 'none' && given !== 'generic') return given;
  const tag = element.localName;
  if (tag === 'label' && element.control) return roleOf(element.control);
  if (tag === 'input') return INPUT_ROLES[element.type] || (element.getAttribute('list') ? 'combobox' : 'textbox');
  if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
  if ((tag === 'a' || tag === 'area') && element.hasAttribute('href')) return 'link';
  if (tag === 'a' && element.href && element.href.baseVal !== undefined) return 'link';
  if (['button', 'summary', 'canvas', 'audio', 'video'].includes(tag)) return tag;
  if (tag === 'textarea' || element.isContentEditable) return 'textbox';
  return 'clickable';
};

const PICTURE = /^[\p{Extended_Pictographic}\uFE0F\u200D\s↺↻⟲⟳]+$/u;
/** A picture without a word (🙂, ⏸) is called by its hint, too, which is all that tells a person what it does. */
const spelled = (control) => (/\p{L}/u.test(control.getAttribute('title') || '') ? control.getAttribute('title') : '');

/** A name from the markup alone, in the order of precedence that assistive technology uses. */
const nameOf = (element) => {
  const control = element.localName === 'label' && element.control ? element.control : element;
  const candidates = [
    () => byIds(control, 'aria-labelledby').map((other) => shownText(other)).join(' '),
    () => control.getAttribute('aria-label'),
    () => (control.labels ? [...control.labels].map((label) => shownText(label)).join(' ') : ''),
    () => (control.localName === 'input' && ['button', 'submit', 'reset'].includes(control.type) ? control.value : ''),
    () => control.getAttribute('alt'),
    () => (control.matches('input, select, textarea, canvas') || control.isContentEditable ? '' : shownText(element)),
    () => control.querySelector?.(':scope > svg > title, :scope > title')?.textContent,
    () => control.getAttribute('title'),
    () => control.getAttribute('placeholder') || control.getAttribute('aria-placeholder'),
    // A label around an <output> and a slider names the former; people read it as the latter's.
    () => (control.matches('input, select, textarea') && control.closest('label') ? shownText(control.closest('label')) : ''),
    () => (control.localName === 'canvas' ? control.textContent : ''),
  ];
  for (const candidate of candidates) {
    const name = fold(candidate());
    if (name) return PICTURE.test(name) ? fold(`${name} ${spelled(control)}`) : name;
  }
  return '';
};

/** Ids made by a framework or at random differ in the next browser; so do most with long digits or hashes in them. */
const isLasting = (id) =>
  id.length <= 60 && /^[A-Za-z][\w-]*$/.test(id) && !/\d{3,}|[0-9a-f]{8,}|^(radix|headlessui|react-aria|mui|ember|ext-gen|yui|__)/i.test(id);

const onlyOne = (root, selector, element) => {
  const found = root.querySelectorAll(selector);
  return found.length === 1 && found[0] === element;
};

const ATTRIBUTES = ['data-testid', 'data-test', 'data-test-id', 'data-cy', 'data-qa', 'name', 'aria-label'];

let places = new Map();
/** Forget where elements stood; called before paths are made, since the page may have changed. */
const forgetPlaces = () => {
  places = new Map();
};

/** Its number among siblings of its tag, and how many there are. A parent's children are counted once for all of them. */
const placeAmongAlike = (element) => {
  const parent = element.parentNode;
  if (!places.has(parent)) {
    const counts = new Map();
    const numbered = new Map();
    for (const child of parent ? parent.children : [element]) {
      const number = (counts.get(child.localName) || 0) + 1;
      counts.set(child.localName, number);
      numbered.set(child, number);
    }
    places.set(parent, { counts, numbered });
  }
  const { counts, numbered } = places.get(parent);
  return [numbered.get(element), counts.get(element.localName)];
};

const pathWithin = (element) => {
  const root = element.getRootNode();
  const steps = [];
  for (let at = element; at && at.nodeType === Node.ELEMENT_NODE; at = at.parentElement) {
    if (at.id && isLasting(at.id) && onlyOne(root, `#${CSS.escape(at.id)}`, at)) {
      steps.unshift(`#${CSS.escape(at.id)}`);
      break;
    }
    if (at === element) {
      for (const attribute of ATTRIBUTES) {
        const value = at.getAttribute(attribute);
        if (!value || value.length > 60) continue;
        const selector = `${CSS.escape(at.localName)}[${attribute}="${CSS.escape(value)}"]`;
        if (onlyOne(root, selector, at)) return selector;
      }
    }
    const tag = CSS.escape(at.localName);
    const [place, count] = placeAmongAlike(at);
    steps.unshift(count === 1 ? tag : `${tag}:nth-of-type(${place})`);
  }
  return steps.join(' > ');
};

/** A selector that finds the element again in a fresh browser; ` >>> ` where a shadow root is entered. */
const selectorOf = (element, many = false) => {
  if (!many) forgetPlaces();
  const parts = [pathWithin(element)];
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) parts.unshift(pathWithin(root.host));
  return parts.join(' >>> ');
};

/** The element a selector means, or null. */
const bySelector = (selector) => {
  let scope = document;
  let found = null;
  for (const part of selector.split(' >>> ')) {
    if (!scope) return null;
    try {
      found = scope.querySelector(part);
    } catch {
      return null;
    }
    if (!found) return null;
    scope = rootOf(found);
  }
  return found;
};

const digest = (text) => {
  // Two 32-bit multiply-xorshift lanes; enough to tell states apart, and quick over megabytes of text.
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x85ebca6b);
    b = Math.imul(b ^ unit, 0xc2b2ae35);
    a ^= a >>> 13;
    b ^= b >>> 16;
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
};

/** Where in the structure it stands, without positions among siblings, classes and generated ids: survives a re-render. */
const structureOf = (element) => {
  const steps = [];
  for (let at = element; at && steps.length < 8; at = flatParent(at)) {
    if (at.id && isLasting(at.id)) {
      steps.unshift(`#${at.id}`);
      break;
    }
    const role = at.getAttribute('role');
    steps.unshift(role ? `${at.localName}[${role}]` : at.localName);
  }
  return steps.join('/');
};

/** Figures as one sign each, with their decimals: `1` and `2.7` beside a slider are the same thing at another time. */
const maskDigits = (text) => text.replace(/\d+(?:[.,]\d+)*/g, '#');

/** What it is, whatever its position. Things alike get the same key; the caller numbers them. */
const keyOf = (element) => `${roleOf(element)}|${maskDigits(nameOf(element))}|${structureOf(element)}`;
