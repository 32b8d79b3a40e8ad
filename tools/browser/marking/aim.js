// For the hands: find a target again, say where to press and what must be scrolled for it, and what the input then really hit.

const fits = (element, { role, name, signature }) => {
  if (!role && !name && !signature) return true;
  if (name ? nameOf(element) === name : roleOf(element) === role) return true;
  const key = keyOf(element);
  for (let number = 1; signature && number <= 60; number += 1) if (digest(`${key}|${number}`) === signature) return true;
  return false;
};

const everyElement = function* () {
  const stack = [document.documentElement];
  for (let seen = 0; stack.length && seen < 60_000; seen += 1) {
    const node = stack.pop();
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    yield node;
    const children = flatChildren(node);
    for (let index = children.length - 1; index >= 0; index -= 1) stack.push(children[index]);
  }
};

const findAlike = ({ role, name, signature }) => {
  const counted = new Map();
  let named = null;
  for (const element of everyElement()) {
    if (roleOf(element) !== role && !(name && element.localName === 'label')) continue;
    if (!bodyOf(element)?.checkVisibility({ visibilityProperty: true })) continue;
    const key = keyOf(element);
    counted.set(key, (counted.get(key) || 0) + 1);
    if (signature && digest(`${key}|${counted.get(key)}`) === signature) return element;
    if (!named && name && nameOf(element) === name) named = element;
  }
  return named;
};

let target = null;

/** Find the target and remember it. `found` is false if there is nothing like it; `note` says when the selector did not lead to it. */
sight.find = (wanted) => {
  const here = bySelector(wanted.selector);
  target = here && fits(here, wanted) ? here : findAlike(wanted);
  if (target && target !== here) return { found: true, note: `the selector ${here ? 'now leads elsewhere' : 'no longer matches'}; found by role and name` };
  const note = target || !here || roleOf(here) === wanted.role ? '' : `what lies at the selector is now ${roleOf(here)} "${nameOf(here)}"`;
  target ||= here;
  return { found: Boolean(target), note };
};

const scrollsBy = (element, axis) => {
  const root = element === document.scrollingElement;
  const style = getComputedStyle(element);
  const overflow = axis === 'x' ? style.overflowX : style.overflowY;
  if (root ? overflow === 'hidden' || overflow === 'clip' : !['auto', 'scroll', 'overlay'].includes(overflow)) return [0, 0];
  const [at, full, shown] = axis === 'x' ? [element.scrollLeft, element.scrollWidth, element.clientWidth] : [element.scrollTop, element.scrollHeight, element.clientHeight];
  return [-at, Math.max(full - shown - at, 0)];
};

const scrollerAt = (hit) => {
  for (let at = hit; at; at = flatParent(at)) {
    if (['x', 'y'].some((axis) => scrollsBy(at, axis).some((room) => Math.abs(room) > 1))) return at;
  }
  return document.scrollingElement;
};

/**
 * Where the wheel turns this scroller and not one inside it. A field of numbers that has the focus takes the wheel for itself, also
 * while it passes beneath the pointer: beside it, if there is room.
 */
const wheelSpot = (scroller, part) => {
  const counting = document.activeElement?.matches('input[type=number], input[type=range]') ? document.activeElement.getBoundingClientRect() : null;
  const apart = (x) => !counting || x < counting.left - 2 || x > counting.right + 2;
  const turns = ([x, y]) => {
    const hit = deepAt(x, y);
    return hit && scrollerAt(hit) === scroller;
  };
  const all = spots(part, true);
  return all.find((spot) => apart(spot[0]) && turns(spot)) || (counting && all.find(turns)) || null;
};

/** The turn of the wheel that brings the point (x, y) nearer to the middle of the innermost scroller that hides it. */
const scrollFor = (element, x, y, always) => {
  const chain = [];
  for (let at = flatParent(element); at; at = flatParent(at)) chain.push(at);
  if (!chain.includes(document.scrollingElement)) chain.push(document.scrollingElement);
  for (const scroller of chain) {
    const root = scroller === document.scrollingElement;
    const rect = root ? viewportRect() : scroller.getBoundingClientRect();
    const margin = Math.min(24, rect.width / 4, rect.height / 4);
    const wish = (value, low, high) => (always || value < low + margin || value > high - margin ? value - (low + high) / 2 : 0);
    const room = [scrollsBy(scroller, 'x'), scrollsBy(scroller, 'y')];
    const turn = [wish(x, rect.left, rect.right), wish(y, rect.top, rect.bottom)].map((value, axis) => Math.max(room[axis][0], Math.min(room[axis][1], value)));
    if (Math.abs(turn[0]) < 2 && Math.abs(turn[1]) < 2) continue;
    const part = root ? rect : visiblePart(scroller, rect);
    const spot = part.width >= 2 && part.height >= 2 ? wheelSpot(scroller, part) : null;
    if (spot) return { dx: turn[0], dy: turn[1], x: spot[0], y: spot[1] };
  }
  return null;
};

/** How far everything that scrolls under a point has been scrolled. */
sight.scrolledAt = ([x, y]) => {
  const offsets = [scrollX, scrollY];
  for (let at = deepAt(x, y); at; at = flatParent(at)) if (at.scrollLeft || at.scrollTop) offsets.push(at.scrollLeft, at.scrollTop);
  return offsets;
};

const holds = (rect, x, y) => x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;

/** What a person presses for a box that is not to be seen: the label or the switch that is drawn in its place. Else the element itself. */
const pressedFor = (element) => {
  if (!element.matches('input[type=checkbox], input[type=radio], input[type=file]') || !isUnseen(element)) return element;
  const drawn = (label) => label.checkVisibility({ visibilityProperty: true }) && area(label.getBoundingClientRect()) >= 16;
  const labels = [...(element.labels || [])].filter(drawn);
  return labels.find((label) => label.contains(element)) || shellOf(element) || labels[0] || element;
};

/**
 * Where to press on the target. `dx`, `dy` are shares of its size from its middle; `at` is a point of this viewport instead (used
 * for iframes). `point` is null where pressing would not reach it: it is out of sight (`inView` false) or `cover` lies over it.
 */
sight.aim = ({ dx = 0, dy = 0, at = null } = {}) => {
  if (!target || !target.isConnected) return { gone: true };
  const pressed = pressedFor(target);
  const rect = target === document.body ? viewportRect() : rectOf(pressed);
  const body = bodyOf(pressed);
  if (rect.width < 1 || rect.height < 1 || !body || !body.checkVisibility({ visibilityProperty: true })) return { gone: false, hidden: true };
  const wanted = at || [rect.left + rect.width * (0.5 + dx), rect.top + rect.height * (0.5 + dy)];
  const part = target === document.body ? viewportRect() : visiblePart(body, rect);
  const exact = Boolean(at) || dx !== 0 || dy !== 0;
  const shown = part.width >= 2 && part.height >= 2;
  const inView = exact ? shown && holds(part, ...wanted) : shown && area(part) >= Math.min(0.4 * area(rect), 400);
  const hit = inView ? deepAt(...wanted) : null;
  const free = hit && actsOn(target, hit) ? wanted : inView && !exact ? freePoint(pressed, rect) : null;
  return {
    rect: [rect.x, rect.y, rect.width, rect.height],
    wanted,
    point: free,
    inView,
    cover: inView && !free && hit ? selectorOf(hit) : '',
    scroll: free ? null : scrollFor(body, ...wanted, inView),
    disabled: target.matches(':disabled'),
    tag: target.localName,
    type: target.localName === 'input' ? target.type : '',
  };
};

/** The last resort, where no wheel reaches: inside `overflow: hidden`, or where the page eats the wheel. */
sight.bringIntoView = () => bodyOf(pressedFor(target))?.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });

/**
 * Input that arrived after the mark `since`: how much, and of the last few, oldest first, what each hit and whether that acts on the
 * target. `document` differs from the mark's when the page has been replaced in the meantime.
 */
sight.arrived = ({ since, types }) => ({
  document: performance.timeOrigin,
  count: types.reduce((sum, type) => sum + (inputCounts[type] || 0) - (since.counts[type] || 0), 0),
  events: inputs
    .filter((input) => input.number > since.number && types.includes(input.type))
    .slice(-3)
    .map((input) => {
      const at = input.target instanceof Element ? input.target : document.documentElement;
      const hit = closedRoots.has(at) && input.x !== undefined ? deepAt(input.x, input.y) || at : at;
      const meant = target && (target === document.body || !target.isConnected || actsOn(target, hit) || flatContains(target, hit));
      return { type: input.type, hit: hit.isConnected ? selectorOf(hit) : hit.localName, onTarget: Boolean(meant), key: input.key, code: input.code };
    }),
});

const announce = (element, type) => element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));

const controlOf = (element) => (element.localName === 'label' && element.control) || element;

/** What a native widget does when its value is picked: focus, set through the element's own setter, `input` and `change`. */
sight.setValue = ({ value, steps = 1 }) => {
  const control = controlOf(target);
  if (!('value' in control)) return { problem: `${control.localName} has no value` };
  if (control.matches(':disabled')) return { problem: 'it is disabled' };
  if (control.readOnly) return { problem: 'it is read-only' };
  const [from, to] = [Number(control.value), Number(value)];
  control.focus({ preventScroll: true });
  if (control.type === 'range' && Number.isFinite(to)) {
    for (let step = 1; step < steps; step += 1) {
      control.value = String(from + ((to - from) * step) / steps);
      announce(control, 'input');
    }
  }
  control.value = value;
  announce(control, 'input');
  announce(control, 'change');
  return { problem: '', value: control.value };
};

/** How to pick an option of a native select: its index, and how many steps of the arrow keys lead there from the present one. */
sight.options = ({ value }) => {
  const control = controlOf(target);
  if (control.localName !== 'select') return { problem: `${control.localName} is no native select` };
  if (control.matches(':disabled')) return { problem: 'it is disabled' };
  const options = [...control.options];
  let index = options.findIndex((option) => option.value === value);
  if (index < 0) index = options.findIndex((option) => fold(option.label) === fold(value));
  if (index < 0) return { problem: `it has no option ${JSON.stringify(value)}` };
  const open = (option) => !option.disabled && !option.parentElement.disabled && !option.hidden && getComputedStyle(option).display !== 'none';
  if (!open(options[index])) return { problem: `its option ${JSON.stringify(value)} is disabled` };
  const reachable = options.filter((option) => open(option) || option === options[control.selectedIndex]);
  const steps = reachable.indexOf(options[index]) - reachable.indexOf(options[control.selectedIndex]);
  return { problem: '', index, steps, value: options[index].value, chosen: control.selectedIndex, listed: control.multiple || control.size > 1 };
};

sight.choose = ({ index }) => {
  const control = controlOf(target);
  control.focus({ preventScroll: true });
  if (control.multiple) control.options[index].selected = true;
  else control.selectedIndex = index;
  announce(control, 'input');
  announce(control, 'change');
};

/** Whether the target's native list or picker is open, and what it holds. */
sight.picker = () => {
  const control = controlOf(target);
  return { gone: !target.isConnected, open: control.matches('select, input') && CSS.supports('selector(:open)') && control.matches(':open'), value: String(control.value ?? '') };
};

/** Text and kind of what has the keyboard focus here, and whether that is the target. */
sight.focus = () => {
  let at = document.activeElement;
  for (let root = at && rootOf(at); root && root.activeElement; root = at && rootOf(at)) at = root.activeElement;
  const typing = Boolean(at) && (at.matches('input, textarea') || at.isContentEditable);
  return {
    onTarget: Boolean(at && target) && (flatContains(target, at) || flatContains(at, target) || controlOf(target) === at),
    typing,
    empty: typing && !(at.value ?? at.textContent),
    parts: typing && ['date', 'time', 'datetime-local', 'month', 'week'].includes(at.type),
    multiline: Boolean(at) && (at.localName === 'textarea' || at.isContentEditable),
    page: document.hasFocus(),
  };
};

sight.graphemes = (text) => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);

sight.window = () => ({ width: innerWidth, height: innerHeight, ratio: devicePixelRatio, x: screenX, y: screenY, outer: [outerWidth, outerHeight] });

/** From now on the target shows dots in place of what it holds, until it is emptied: it is given a secret. */
sight.mask = () => {
  const field = target && ('value' in target ? target : target.querySelector?.('input, textarea') || target);
  if (!field?.style) return false;
  const shown = () => ('value' in field ? field.value : field.textContent);
  field.style.setProperty('-webkit-text-security', 'disc', 'important');
  const unmask = () => {
    if (shown()) return;
    field.style.removeProperty('-webkit-text-security');
    if (!field.getAttribute('style')) field.removeAttribute('style');
    field.removeEventListener('input', unmask);
  };
  field.addEventListener('input', unmask);
  return true;
};
