// From candidates to marks: what is visible, one mark for one thing, repeated things sampled, and all a person could tell about each.

const ACTS = new Set(['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'contextmenu', 'dragstart']);
const MOVES = new Set(['mousemove', 'pointermove', 'touchmove', 'wheel', 'mouseenter', 'mouseover', 'pointerenter', 'pointerover']);
const CONTAINERS = new Set(['listbox', 'menu', 'tree', 'grid', 'tablist', 'radiogroup', 'combobox', 'toolbar']);
const STRONG = new Set(['canvas', 'tag', 'role', 'contenteditable', 'label']);

const isStrong = (thing) => thing.reasons.some((reason) => STRONG.has(reason));
const doesAct = (thing) => thing.types.some((type) => ACTS.has(type)) || thing.reasons.includes('draggable');
const area = ({ width, height }) => Math.max(width, 0) * Math.max(height, 0);

/** The image that uses an area's map. */
const imageOf = (element) => {
  const map = element.closest('map');
  return (map && [...element.getRootNode().querySelectorAll('img[usemap]')].find((img) => img.useMap === `#${map.name}`)) || null;
};

/** What is laid out for an element: an area of an image map has no box, its image has. */
const bodyOf = (element) => (element.localName === 'area' ? imageOf(element) : element);

/** An area element has no box of its own: its shape lies on the content of the image that uses the map. */
const areaRect = (element) => {
  const image = imageOf(element);
  if (!image) return new DOMRect();
  const base = image.getBoundingClientRect();
  const numbers = element.coords.split(',').map(Number);
  if (element.shape === 'default' || numbers.length < 3) return base;
  const style = getComputedStyle(image);
  const scale = image.offsetWidth ? base.width / image.offsetWidth : 1;
  const from = (side) => (parseFloat(style[`border${side}Width`]) || 0) + (parseFloat(style[`padding${side}`]) || 0);
  const [x, y] = [from('Left'), from('Top')];
  const box = (left, top, right, bottom) =>
    new DOMRect(base.x + (x + left) * scale, base.y + (y + top) * scale, (right - left) * scale, (bottom - top) * scale);
  if (element.shape === 'circle') {
    const [across, down, radius] = numbers;
    return box(across - radius, down - radius, across + radius, down + radius);
  }
  const across = numbers.filter((_, index) => index % 2 === 0);
  const down = numbers.filter((_, index) => index % 2 === 1);
  return box(Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down));
};

const rectOf = (element) => (element.localName === 'area' ? areaRect(element) : element.getBoundingClientRect());

/** Whether a person could see it or scroll it into sight. */
const isSeen = (thing) => {
  const { element } = thing;
  thing.rect = rectOf(element);
  if (thing.rect.width <= 2 || thing.rect.height <= 2) return false;
  if (isBeyond(element, thing.rect)) return false;
  const style = getComputedStyle(element);
  if (style.clipPath.startsWith('inset(50%') || style.clipPath.startsWith('inset(100%')) return false;
  if (thing.reasons.includes('canvas') && (thing.rect.width < 16 || thing.rect.height < 16 || style.pointerEvents === 'none')) return false;
  if ((!isStrong(thing) && style.pointerEvents === 'none') || element.matches('[inert], [inert] *')) return false;
  return !thing.faint || element.matches('input, button, select, textarea');
};

const uniform = (elements) => {
  const rects = elements.map((element) => element.getBoundingClientRect());
  const near = (a, b) => Math.abs(a - b) <= 0.2 * Math.max(a, b);
  return rects.every((rect) => rect.width > 7 && rect.height > 7 && near(rect.width, rects[0].width) && near(rect.height, rects[0].height));
};

/** The repeated things inside a container that listens on their behalf (board cells, list rows); empty if there are none. */
const repeatedInside = (container) => {
  const children = [...container.children].filter((child) => child.checkVisibility());
  const first = children[0];
  if (!first || children.some((child) => child.localName !== first.localName)) return [];
  if (children.length === 1) return repeatedInside(first);
  const rows = children.map((child) => [...child.children]);
  const line = rows[0];
  const inLine = line.length >= 2 && line.every((cell) => cell.localName === line[0].localName) && uniform(line) &&
    line.every((cell) => Math.abs(cell.getBoundingClientRect().top - line[0].getBoundingClientRect().top) < 3);
  if (inLine && rows.every((row) => row.length === line.length)) return rows.flat();
  if (['li', 'td', 'tr'].includes(first.localName)) return children;
  return children.length >= 3 && uniform(children) ? children : [];
};

/** Containers that only pass on what happens to their repeated children give way to them. */
const spread = (things) => {
  const known = new Set(things.map(({ element }) => element));
  const busy = new Set();
  for (const { element } of things) for (let at = flatParent(element); at && !busy.has(at); at = flatParent(at)) busy.add(at);
  const result = [];
  for (const thing of things) {
    const children = isStrong(thing) || busy.has(thing.element) || (!doesAct(thing) && !thing.reasons.includes('cursor')) ? [] : repeatedInside(thing.element);
    if (!children.length) {
      result.push(thing);
      continue;
    }
    for (const element of children) {
      if (known.has(element)) continue;
      result.push({ ...thing, element, index: -1, extra: -1, reasons: ['listener'], delegated: true, order: orders.get(element) ?? thing.order, rect: rectOf(element) });
    }
  }
  return result;
};

const nearestKept = (thing, kept) => {
  for (let at = flatParent(thing.element); at; at = flatParent(at)) if (kept.has(at)) return kept.get(at);
  return null;
};

/** Whether a thing that shows a hand is what the box around it listens for: the box itself shows none (cells of a board, heads of a table). */
const listenedFor = (outer, inner) => inner.reasons.includes('cursor') && doesAct(outer) && !HANDLED.test(outer.cursor);

/** Of two things, one inside the other: which of them is no mark of its own. Empty when both are. */
const superfluous = (outer, inner) => {
  const share = area(inner.rect) / Math.max(area(outer.rect), 1);
  if (!isStrong(inner)) {
    if (isStrong(outer)) return doesAct(inner) && share < 0.6 ? '' : 'inner';
    if (!doesAct(inner) && !listenedFor(outer, inner)) return inner.reasons.includes('tabindex') && !doesAct(outer) ? 'outer' : 'inner';
    if (!doesAct(outer)) return 'outer';
    return share >= 0.8 ? 'outer' : '';
  }
  if (!isStrong(outer)) return doesAct(outer) ? '' : 'outer';
  if (outer.reasons.includes('canvas') || outer.reasons.includes('contenteditable')) return '';
  if (CONTAINERS.has(roleOf(outer.element)) && outer.element.localName !== 'select') return 'outer';
  if (outer.reasons.includes('label')) return share >= 0.6 ? 'outer' : '';
  return share >= 0.6 ? 'outer' : '';
};

/** A container that acts and holds other marks stays if it is small and has room of its own to press on. */
const standsAlone = (thing, inside) => {
  const share = area(thing.rect) / (innerWidth * innerHeight);
  const meant = HANDLED.test(thing.cursor) || thing.reasons.some((reason) => reason !== 'listener');
  if (share > (meant ? 0.4 : 0.15) || inside > 5) return false;
  return true;
};

const deduplicate = (things) => {
  const kept = new Map();
  const inside = new Map();
  for (const thing of things) {
    let drop = '';
    for (let outer = nearestKept(thing, kept); outer && !drop; outer = nearestKept(outer, kept)) {
      const verdict = superfluous(outer, thing);
      if (verdict === 'inner') drop = verdict;
      if (verdict === 'outer') kept.delete(outer.element);
    }
    if (!drop) kept.set(thing.element, thing);
  }
  for (const thing of kept.values()) {
    const outer = nearestKept(thing, kept);
    if (outer) inside.set(outer, (inside.get(outer) || 0) + 1);
  }
  return [...kept.values()].filter((thing) => isStrong(thing) || !inside.has(thing) || standsAlone(thing, inside.get(thing)));
};

/** Labels stand for controls that are hidden behind them (drawn checkboxes); next to a visible control they are nothing. */
const settleLabels = (things) => {
  const shown = new Map(things.filter(({ reasons }) => reasons.includes('tag')).map((thing) => [thing.element, thing]));
  const taken = new Set();
  const dropped = new Set();
  for (const thing of things) {
    if (!thing.reasons.includes('label')) continue;
    const control = thing.element.control;
    const rival = shown.get(control);
    if ((rival && !rival.faint) || taken.has(control) || control.disabled) dropped.add(thing);
    else {
      taken.add(control);
      if (rival) dropped.add(rival);
    }
  }
  return things.filter((thing) => !dropped.has(thing));
};

/** Where the page itself listens for presses and shows a grid of like boxes, those are what it listens for. */
const likeBoxes = (types) => {
  if (!types.some((type) => ACTS.has(type))) return [];
  for (const parent of [...document.querySelectorAll('body, body *')].slice(0, 3000)) {
    if (parent.childElementCount < 2) continue;
    const boxes = repeatedInside(parent);
    const size = boxes[0]?.getBoundingClientRect();
    if (boxes.length >= 4 && size.width >= 16 && size.width <= 220 && size.height >= 16 && size.height <= 220) {
      return boxes.map((element) => ({ element, reasons: ['listener'], types, delegated: true, order: orders.get(element) || 0, cursor: 'auto', rect: rectOf(element) }));
    }
  }
  return [];
};

/** All marks before sampling. `types` are listeners by candidate index, `pageTypes` those of window, document and body. */
const gather = ({ types, extraTypes, pageTypes }, extras) => {
  const things = candidates.map((candidate, index) => ({ ...candidate, index, types: types[index] || [] }));
  const known = new Set(things.map(({ element }) => element));
  extras.forEach((element, index) => {
    const order = orders.get(element);
    if (!order || known.has(element) || element === document.body || element === document.documentElement) return;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    things.push({ element, reasons: [], types: extraTypes[index], order, faint: false, cursor: getComputedStyle(element).cursor, extra: index });
  });
  for (const thing of things) if (thing.types.some((type) => ACTS.has(type) || MOVES.has(type))) thing.reasons = [...thing.reasons, 'listener'];
  const worth = (thing) => isStrong(thing) || doesAct(thing) || thing.reasons.some((reason) => reason !== 'listener');
  const seen = things.filter((thing) => worth(thing) && isSeen(thing)).sort((a, b) => a.order - b.order);
  const kept = deduplicate(spread(settleLabels(seen)).sort((a, b) => a.order - b.order));
  if (kept.length < 3) kept.push(...likeBoxes(pageTypes).filter(({ element }) => !kept.some((thing) => flatContains(element, thing.element))));
  if (!kept.length && document.body && pageTypes.some((type) => ACTS.has(type))) {
    kept.push({ element: document.body, reasons: ['listener'], types: pageTypes, order: 0, cursor: 'auto', rect: new DOMRect(0, 0, innerWidth, innerHeight) });
  }
  return kept.sort((a, b) => a.order - b.order);
};
