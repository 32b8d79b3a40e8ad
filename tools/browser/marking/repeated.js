// Repeated things that carry content: rows of a table, cards, entries of a list. What a person compares when a list is sorted,
// filtered, added to or counted. Each is told by its cells (texts in order), aligned into columns by where they stand in an item.

const CELL_LIMIT = 80;
const ITEM_LIMIT = 80;
const COLUMN_LIMIT = 12;
const LIST_LIMIT = 12;
const PARENT_LIMIT = 6000;
/** Tags that are parts of an item, not items. */
const PARTS = new Set([
  'span', 'b', 'i', 'em', 'strong', 'small', 'td', 'th', 'dt', 'dd', 'br', 'hr', 'option', 'script', 'style', 'template', 'svg', 'path',
  'input', 'select', 'textarea', 'label', 'img', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'colgroup', 'col', 'thead', 'tfoot', 'sup', 'sub',
]);
const CONTROLS = new Set(['button', 'select', 'textarea', 'option']);
/** Parents that held a list once, and what its items were, so that one filtered down to a single item, or to none, is still known. */
const knownLists = new WeakMap();

const itemShape = (element) => `${element.localName}.${element.classList[0] || ''}`;
const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;

/** [place in the item, text] of all that an item says, its own buttons aside; where the whole of it is a button, what that says. */
const cellsOf = (item) => {
  const cells = cellsIn(item, false);
  return cells.length ? cells : cellsIn(item, true);
};

const cellsIn = (item, ofButtons) => {
  const cells = [];
  const stack = [{ node: item, key: '' }];
  while (stack.length && cells.length < COLUMN_LIMIT) {
    const { node, key } = stack.pop();
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.trim()) cells.push([key, fold(node.data, CELL_LIMIT)]);
      continue;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || ['script', 'style', 'template', 'noscript'].includes(node.localName)) continue;
    if (node !== item) {
      const pressed = CONTROLS.has(node.localName) || node.getAttribute('role') === 'button';
      if ((pressed && !(ofButtons && node.localName === 'button')) || !isShown(node)) continue;
      if (node.localName === 'input') {
        if (node.type === 'checkbox' || node.type === 'radio') cells.push([`${key}/tick`, node.checked ? '☑' : '☐']);
        else if (node.value) cells.push([`${key}/field`, fold(node.value, CELL_LIMIT)]);
        continue;
      }
    }
    const children = [...flatChildren(node)];
    const alone = node !== item && !children.some((child) => child.nodeType === Node.ELEMENT_NODE && child.textContent.trim());
    if (alone && node.textContent.trim()) {
      cells.push([key, fold(node.textContent, CELL_LIMIT)]);
      continue;
    }
    const counts = new Map();
    const keyed = children.map((child) => {
      if (child.nodeType !== Node.ELEMENT_NODE) return { node: child, key };
      const shape = child.localName;
      const place = (counts.get(shape) || 0) + 1;
      counts.set(shape, place);
      return { node: child, key: `${key}/${shape}${place}` };
    });
    for (let index = keyed.length - 1; index >= 0; index -= 1) stack.push(keyed[index]);
  }
  return cells;
};

const LOOKS_AT_LEAST = 3;
const LOOKS_AT_MOST = 9;
const SHORT_ITEM = 60;
/** Whether things are a few short texts without controls: steps, not a menu. */
const isPlain = (items) =>
  items.length >= LOOKS_AT_LEAST && items.length <= LOOKS_AT_MOST &&
  items.every((item) => item.textContent.length <= SHORT_ITEM && !item.querySelector('a, button, input, select, [role=button]'));

const ROWS = new Set(['tr', 'li', 'article']);
const SKELETON_LIMIT = 12;
const skeletonOf = (item) => [...item.children].map((child) => child.localName).join(' ');
const skeletonsOf = (items) => new Set(items.map(skeletonOf).filter(Boolean).slice(0, SKELETON_LIMIT));

/** A group with those beside it that only the class of a state sets apart (`low`, `done`, `selected`): they are built alike. */
const withItsStates = (parent, groups, { shape, skeletons }) => {
  const [tag, state] = shape.split('.');
  const joins = (other, item) => {
    const [otherTag, otherState] = other.split('.');
    return otherTag === tag && (ROWS.has(tag) || !state || !otherState) && skeletons.has(skeletonOf(item));
  };
  const found = new Set([...groups].flatMap(([other, items]) => (other === shape ? items : items.filter((item) => joins(other, item)))));
  return [...parent.children].filter((child) => found.has(child));
};

/** The children of an element that look like the items of a list, or null. */
const itemsIn = (parent) => {
  const groups = new Map();
  for (const child of parent.children) {
    if (PARTS.has(child.localName) || !isShown(child)) continue;
    const shape = itemShape(child);
    if (!groups.has(shape)) groups.set(shape, []);
    groups.get(shape).push(child);
  }
  const known = knownLists.get(parent);
  // The one that a class sets apart (the step one is at) is an item as the others are.
  const all = [...groups.values()].flat();
  if (groups.size > 1 && all.every((child) => child.localName === 'li') && isPlain(all)) {
    const [shape] = [...groups].sort((one, other) => other[1].length - one[1].length)[0];
    return { shape: known?.shape || shape, items: [...parent.children].filter((child) => all.includes(child)) };
  }
  if (known) return { shape: known.shape, items: withItsStates(parent, groups, known) };
  const [shape, items] = [...groups].sort((one, other) => other[1].length - one[1].length)[0] || ['', []];
  if (items.length < 2 && parent.localName !== 'tbody') return null;
  return { shape, items: withItsStates(parent, groups, { shape, skeletons: skeletonsOf(items) }) };
};

const pressable = (items) => items.length > 0 && items.every((item) => CONTROLS.has(item.localName) || item.localName === 'a');

const isRich = (item) => item.localName === 'li' || item.localName === 'tr' || item.localName === 'article' || cellsOf(item).length >= 2;

const columnsOf = (parent, rows) => {
  const keys = [];
  for (const row of rows) for (const [key] of row) if (!keys.includes(key)) keys.push(key);
  const kept = keys.slice(0, COLUMN_LIMIT);
  const heads = parent.localName === 'tbody' ? [...(parent.parentElement?.tHead?.rows[0]?.cells || [])].map((cell) => fold(cell.innerText, 40)) : [];
  const names = kept.map((key) => heads[Number((key.match(/^\/t[dh](\d+)/) || [])[1]) - 1] || '');
  const texts = rows.map((row) => kept.map((key) => row.filter(([own]) => own === key).map(([, text]) => text).join(' ')));
  return { names, texts };
};

const LOOK_PARTS = 8;
/** How each of a few short items is painted: the step one is at stands out of a list of steps. Menus are left out. */
const looksOf = (items) => {
  if (!isPlain(items)) return [];
  return items.map((item) => {
    const parts = [item, ...item.querySelectorAll('*')].slice(0, LOOK_PARTS);
    const told = parts.map((part) => [
      part.className?.baseVal ?? part.className, part.getAttribute('style'), part.getAttribute('aria-current'),
      paintOf(part), ...['::before', '::after'].map((name) => `${getComputedStyle(part, name).content}|${paintOf(part, name)}`),
    ]);
    return digest(JSON.stringify(told)).slice(0, 8);
  });
};

const HOLDER_LIMIT = 12;
const HOLDER_TEXTS = 100;
const NO_HOLDERS = 'button, a, select, textarea, [role=button]';
/** What says most in an item: there the pointer of a person goes who means the item. */
const holderOf = (item) => {
  let holder = item;
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(), seen = 0, most = 0; node && seen < HOLDER_TEXTS; node = walker.nextNode(), seen += 1) {
    const length = node.data.trim().length;
    if (length <= most || node.parentElement.closest(NO_HOLDERS) || !isShown(node.parentElement)) continue;
    holder = node.parentElement;
    most = length;
  }
  return holder;
};

/** What a script shows and hides again; a style sheet hides what comes up where the pointer rests. */
const BY_SCRIPT = '[hidden], dialog, [popover], [role=menu], [role=dialog], [style*="display"], [style*="visibility"]';
/** Whether an item has buttons, none of them in sight, that nothing but a style sheet hides. */
const isVeiled = (item) => {
  const buttons = [...item.querySelectorAll('button, [role=button]')];
  const byScript = (one) => {
    const hides = one.closest(BY_SCRIPT);
    return hides !== null && item.contains(hides);
  };
  return buttons.length > 0 && buttons.every((one) => !isShown(one) && !byScript(one));
};

const titleOf = (parent, first) => {
  for (const child of parent.children) {
    if (child === first) break;
    if (/^h[1-6]$/.test(child.localName)) return shownText(child, 80);
  }
  return fold(parent.getAttribute('aria-label') || '', 80) || contextOf(parent);
};

/** Elements that stand as this one does: beside it, or in the same place of what stands beside its own parent (a column). */
const likeLists = (parent) => {
  const alike = (one, other) => one !== other && itemShape(one) === itemShape(other);
  const around = parent.parentElement;
  const beside = [...(around?.children || [])].filter((other) => alike(other, parent));
  if (beside.length || !around?.parentElement || !around.classList.length || !parent.classList.length) return beside;
  const columns = [...around.parentElement.children].filter((other) => alike(other, around));
  return columns.map((column) => [...column.children].filter((child) => itemShape(child) === itemShape(parent))).filter((found) => found.length === 1).flat();
};

/** Lists of this document in document order. */
const listsOf = () => {
  const parents = [];
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_ELEMENT);
  for (let at = walker.currentNode, seen = 0; at && seen < PARENT_LIMIT; at = walker.nextNode(), seen += 1) {
    if (!at.children || at.closest('svg') || (!at.children.length && !knownLists.has(at))) continue;
    const found = itemsIn(at);
    if (found && (knownLists.has(at) || found.items.some((item) => item.textContent.trim()))) parents.push({ parent: at, ...found });
  }
  const rich = parents.filter(
    ({ parent, items }) =>
      knownLists.has(parent) || pressable(items) || (items.length && items.every((item) => item.textContent.length < 600 && isRich(item))),
  );
  // Of lists within lists the inner ones are what a person compares, unless they are but parts of an item.
  const within = (other, outer) => other !== outer && outer.items.some((item) => item.contains(other.parent));
  const told = rich.filter((list) => !pressable(list.items) || !rich.some((outer) => !pressable(outer.items) && within(list, outer)));
  const inner = (outer) => told.some((other) => other.items.length >= 2 && within(other, outer));
  const kept = told.filter((list) => !inner(list)).slice(0, LIST_LIMIT);
  // A column of a board may hold a single card: what looks like the items of another list is one, too.
  const shapes = new Set(kept.filter(({ items }) => items.length >= 2).map(({ parent, shape }) => `${itemShape(parent)}>${shape}`));
  for (const { parent, shape } of kept) {
    const path = `${itemShape(parent)}>${shape}`;
    if (!shapes.has(path)) continue;
    for (const like of likeLists(parent)) {
      if (kept.some((list) => list.parent === like)) continue;
      kept.push({ parent: like, shape, items: [...like.children].filter((child) => itemShape(child) === shape && isShown(child)) });
    }
  }
  forgetPlaces();
  return kept
    .filter((list) => isShown(list.parent) && !(pressable(list.items) && kept.some((outer) => !pressable(outer.items) && within(list, outer))))
    .sort((one, other) => (one.parent.compareDocumentPosition(other.parent) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    .map(({ parent, shape, items }) => {
      if (items.length >= 2) knownLists.set(parent, { shape, skeletons: skeletonsOf(items) });
      const few = pressable(items) ? [] : items.slice(0, HOLDER_LIMIT);
      const { names, texts } = columnsOf(parent, items.slice(0, ITEM_LIMIT).map(cellsOf));
      return {
        selector: selectorOf(parent, true),
        title: titleOf(parent, items[0]),
        columns: names,
        items: texts,
        count: items.length,
        pressable: pressable(items),
        looks: pressable(items) ? [] : looksOf(items),
        holders: few.map((item) => selectorOf(holderOf(item), true)),
        veiled: few.filter(isVeiled).length,
      };
    });
};
sight.lists = () => listsOf();
