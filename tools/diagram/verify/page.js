'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const byId = id => document.getElementById(id);
  let state = null, mode = 'exclude', start = null, near = null, queue = Promise.resolve();

  const make = (tag, attributes, parent, text) => {
    const made = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };

  // One question after the other: quick clicks are not lost and answers come in order.
  const ask = (path, body) => { queue = queue.then(() => send(path, body)); return queue; };
  const send = async (path, body) => {
    try {
      const answer = await fetch(path, body === undefined ? {} : {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
      const told = await answer.json();
      if (!answer.ok) { say(told.error, true); return; }
      state = told;
      draw();
    } catch {
      say('The command that serves this page has ended. Your edits up to here are kept.', true);
    }
  };

  const say = (text, problem = false) => {
    byId('help').textContent = text;
    byId('help').classList.toggle('problem', problem);
  };
  const explain = () => say(mode === 'exclude'
    ? 'Exclude: click a node or an edge that is not in the picture; click again to take it back in.'
    : start ? `Link: now click the node that ${labelOf(start)} leads to (Esc to begin again).` : 'Link: click the node where the missing edge begins.');

  const things = () => [...state.graph.nodes, ...state.graph.groups];
  const labelOf = id => { const thing = things().find(one => one.id === id); return thing && thing.label ? thing.label.replace(/\n/g, ' ') : id; };
  const isOut = id => state.out.includes(id);
  const edges = () => [...state.graph.edges, ...state.added];
  const isAdded = id => state.added.some(edge => edge.id === id);
  const edgeName = edge => `${labelOf(edge.source)} ${edge.target_head === 'none' ? '–' : edge.source_head === 'none' ? '→' : '↔'} ${labelOf(edge.target)}${edge.label ? ` (${edge.label})` : ''}`;

  // Places: those of the picture; things without a box are put on a circle.
  const places = () => {
    const found = new Map(), graph = state.graph;
    const size = canvas();
    const loose = things().filter(thing => !thing.box);
    for (const thing of things()) if (thing.box) found.set(thing.id, thing.box);
    loose.forEach((thing, index) => {
      const turn = 2 * Math.PI * index / Math.max(1, loose.length);
      const width = Math.max(70, 8 * (thing.label || thing.id).length), height = 34;
      found.set(thing.id, {x: size.width / 2 + 0.38 * size.width * Math.cos(turn) - width / 2, y: size.height / 2 + 0.4 * size.height * Math.sin(turn) - height / 2, width, height});
    });
    return found;
  };
  const canvas = () => {
    const told = state.graph.canvas;
    if (told && told.width) return told;
    const image = byId('picture');
    return {width: image.naturalWidth || 1000, height: image.naturalHeight || 700};
  };
  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  const border = (box, towards) => {
    const [x, y] = middle(box), dx = towards[0] - x, dy = towards[1] - y;
    const share = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity, 1);
    return [x + dx * share, y + dy * share];
  };
  const route = (edge, at) => {
    if (edge.path && edge.path.length > 1) return edge.path;
    const one = at.get(edge.source), other = at.get(edge.target);
    if (!one || !other) return [];
    if (edge.source === edge.target) {
      const x = one.x + one.width, y = one.y + one.height / 2, reach = 30;
      return [[x, y - 6], [x + reach, y - 12], [x + reach, y + 12], [x, y + 6]];
    }
    return [border(one, middle(other)), border(other, middle(one))];
  };
  const line = points => points.map(([x, y], index) => `${index ? 'L' : 'M'}${x},${y}`).join('');

  const matches = text => { const wanted = byId('search').value.trim().toLowerCase(); return !wanted || text.toLowerCase().includes(wanted); };

  function draw() {
    const at = places(), size = canvas(), focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.id : null;
    byId('name').textContent = state.name;
    drawGraph(at, size);
    drawOver(at, size);
    drawLists();
    byId('undo').disabled = !state.can_undo;
    const {precision, recall, f1} = state.figures;
    const shown = part => `${part} P ${precision[part].toFixed(3)} R ${recall[part].toFixed(3)} F1 ${f1[part].toFixed(3)}`;
    byId('figures').textContent = `${shown('nodes')} · ${shown('edges')} · ${state.edits} edit${state.edits === 1 ? '' : 's'}`;
    byId('time').textContent = `${Math.floor(state.worked_s / 60)}:${String(state.worked_s % 60).padStart(2, '0')}`;
    for (const name of ['exclude', 'link']) byId(`mode-${name}`).setAttribute('aria-checked', String(mode === name));
    byId('finish').textContent = state.done ? 'Saved' : 'Done';
    if (focused) { const again = document.querySelector(`#right [data-id="${CSS.escape(focused)}"], aside [data-id="${CSS.escape(focused)}"]`); if (again) again.focus({preventScroll: true}); }
    explain();
  }

  function drawGraph(at, size) {
    const svg = byId('graph');
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    const defs = make('defs', {}, svg);
    for (const [name, colour] of [['blue', '#1d5fd1'], ['magenta', '#c2188f'], ['grey', '#c7ccd2']]) {
      const marker = make('marker', {id: `head-${name}`, viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 11, markerHeight: 11, orient: 'auto-start-reverse', markerUnits: 'userSpaceOnUse'}, defs);
      make('path', {d: 'M0,1 L10,5 L0,9 z', fill: colour}, marker);
    }
    for (const group of state.graph.groups) {
      const box = at.get(group.id), drawn = make('g', {class: 'group'}, svg);
      make('rect', {x: box.x, y: box.y, width: box.width, height: box.height}, drawn);
      make('text', {x: box.x + box.width / 2, y: box.y + 12, 'font-size': 12}, drawn, group.label);
    }
    for (const edge of edges()) {
      const points = route(edge, at);
      if (points.length < 2) continue;
      const added = isAdded(edge.id), out = isOut(edge.id), name = edgeName(edge);
      const colour = added ? 'magenta' : out ? 'grey' : 'blue';
      const drawn = make('g', {class: `edge${added ? ' added' : ''}${out ? ' out' : ''}${near === edge.id ? ' near' : ''}${matches(name) ? '' : ' dim'}`, tabindex: 0, role: 'button', 'aria-label': `Edge ${name}${out ? ', excluded' : ''}`, 'data-id': edge.id}, svg);
      make('path', {class: 'wide', d: line(points)}, drawn);
      const path = make('path', {class: 'line', d: line(points)}, drawn);
      if (edge.target_head !== 'none') path.setAttribute('marker-end', `url(#head-${colour})`);
      if (edge.source_head !== 'none') path.setAttribute('marker-start', `url(#head-${colour})`);
      if (edge.label) { const [x, y] = points[Math.floor(points.length / 2)]; make('text', {x, y: y - 4, 'font-size': 12}, drawn, edge.label); }
    }
    for (const node of state.graph.nodes) {
      const box = at.get(node.id), out = isOut(node.id), label = node.label || '(no label)';
      const drawn = make('g', {class: `node${out ? ' out' : ''}${near === node.id ? ' near' : ''}${start === node.id ? ' start' : ''}${matches(label) ? '' : ' dim'}`, tabindex: 0, role: 'button', 'aria-label': `Node ${label}${out ? ', excluded' : ''}`, 'data-id': node.id}, svg);
      make('rect', {x: box.x, y: box.y, width: box.width, height: box.height, rx: 3}, drawn);
      const rows = [...node.label.split('\n'), ...node.rows];
      const widest = Math.max(1, ...rows.map(row => [...row].reduce((sum, sign) => sum + (sign > '\u2e80' ? 1 : 0.58), 0)));
      const high = Math.max(5, Math.min(16, 0.94 * box.width / widest, 0.9 * box.height / rows.length));
      rows.forEach((row, index) => make('text', {x: box.x + box.width / 2, y: box.y + box.height / 2 + (index - (rows.length - 1) / 2) * high * 1.1, 'font-size': high}, drawn, row));
    }
  }

  function drawOver(at, size) {
    const svg = byId('over');
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    for (const edge of edges()) {
      const points = route(edge, at);
      if (points.length > 1) make('path', {d: line(points), class: `${isAdded(edge.id) ? 'added' : ''}${isOut(edge.id) ? ' out' : ''}${near === edge.id ? ' near' : ''}`}, svg);
    }
    for (const node of state.graph.nodes) {
      if (!node.box) continue;
      const {x, y, width, height} = node.box;
      make('rect', {x, y, width, height, class: `${isOut(node.id) ? 'out' : ''}${near === node.id ? ' near' : ''}`}, svg);
    }
  }

  function drawLists() {
    const fill = (list, all, name, text) => {
      list.replaceChildren();
      let shown = 0;
      for (const thing of all) {
        const label = text(thing);
        if (!matches(label)) continue;
        shown += 1;
        const row = document.createElement('li'), button = document.createElement('button');
        row.className = `${isOut(thing.id) ? 'out' : ''}${isAdded(thing.id) ? ' added' : ''}${near === thing.id ? ' near' : ''}`;
        button.textContent = label;
        button.title = label;
        button.dataset.id = thing.id;
        row.append(button);
        list.append(row);
      }
      byId(name).textContent = shown === all.length ? `${all.length}` : `${shown} of ${all.length}`;
    };
    fill(byId('nodes'), state.graph.nodes, 'node-count', node => (node.label || '(no label)').replace(/\n/g, ' '));
    fill(byId('edges'), edges(), 'edge-count', edgeName);
  }

  function chosen(id) {
    const node = state.graph.nodes.some(one => one.id === id);
    if (mode === 'link' && node) {
      if (start === null) { start = id; draw(); return; }
      const source = start;
      start = null;
      ask('edit', {kind: 'link', source, target: id});
      return;
    }
    if (mode === 'link') { say('Link joins nodes. Press E to exclude edges.'); return; }
    const added = state.added.find(edge => edge.id === id);
    if (added) ask('edit', {kind: 'unlink', thing: id, source: added.source, target: added.target});
    else if (!state.excluded.includes(id) && isOut(id)) say('This edge is out because one of its nodes is. Take the node back in first.');
    else ask('edit', {kind: state.excluded.includes(id) ? 'include' : 'exclude', thing: id});
  }

  const setMode = wanted => { mode = wanted; start = null; draw(); };
  const idAt = event => { const hit = event.target.closest('[data-id]'); return hit ? hit.dataset.id : null; };
  document.addEventListener('click', event => { const id = idAt(event); if (id && state) chosen(id); });
  document.addEventListener('mouseover', event => {
    const id = idAt(event);
    if (!state || id === near) return;
    near = id;
    for (const thing of document.querySelectorAll('#graph [data-id], aside [data-id]')) {
      (thing.closest('li') || thing).classList.toggle('near', thing.dataset.id === near);
    }
    drawOver(places(), canvas());
  });
  document.addEventListener('keydown', event => {
    const typing = event.target.tagName === 'INPUT';
    if (event.key === 'Escape') { start = null; byId('search').value = ''; draw(); return; }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !typing) { event.preventDefault(); ask('edit', {kind: 'undo'}); return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') { event.preventDefault(); byId('search').focus(); }
    else if (event.key === 'e') setMode('exclude');
    else if (event.key === 'l') setMode('link');
    else if ((event.key === 'Enter' || event.key === ' ') && event.target.closest('svg')) { event.preventDefault(); const id = idAt(event); if (id) chosen(id); }
  });
  byId('mode-exclude').addEventListener('click', () => setMode('exclude'));
  byId('mode-link').addEventListener('click', () => setMode('link'));
  byId('undo').addEventListener('click', () => ask('edit', {kind: 'undo'}));
  byId('finish').addEventListener('click', () => ask('finish', {}));
  byId('search').addEventListener('input', () => draw());
  // Both sheets show the same place.
  const [left, right] = [byId('left'), byId('right')];
  for (const [one, other] of [[left, right], [right, left]]) {
    one.addEventListener('scroll', () => { if (Math.abs(other.scrollTop - one.scrollTop) > 1) other.scrollTop = one.scrollTop; });
  }
  setInterval(() => { if (!document.hidden && state && !state.done) ask('alive', {}); }, 15000);
  byId('picture').addEventListener('load', () => ask('state'));
  byId('picture').addEventListener('error', () => ask('state'));
  byId('picture').src = 'picture';
})();
