() => {
  // Layers that may ask for consent: what lies over the page or is docked at an edge of the window, with a few buttons in it.
  const shown = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const inner = (el) => [...(el.shadowRoot ?? el).querySelectorAll('*')].flatMap((one) => (one.shadowRoot ? [one, ...inner(one)] : [one]));
  const all = inner(document.documentElement).slice(0, 20_000);
  const presses = (el) => el.matches('button, [role="button"], input[type="button"], input[type="submit"], a[href]') && shown(el);
  const buttons = all.filter((el) => presses(el));
  const up = (el) => el.assignedSlot ?? el.parentElement ?? el.getRootNode().host ?? null;
  const found = new Map();
  for (const button of buttons.slice(0, 400)) {
    for (let at = up(button), depth = 0; at && at !== document.body && at !== document.documentElement && depth < 12; at = up(at), depth += 1) {
      const style = getComputedStyle(at), box = at.getBoundingClientRect();
      const dialog = at.matches('dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]');
      const wide = box.width >= innerWidth * 0.6 && box.height > 20 && box.height <= innerHeight * 0.5;
      const docked = wide && (Math.abs(box.top + scrollY) < 2 || Math.abs(box.bottom - innerHeight) < 2 || box.bottom >= document.documentElement.scrollHeight - scrollY - 2);
      if (!dialog && style.position !== 'fixed' && style.position !== 'sticky' && !(style.position === 'absolute' && Number(style.zIndex) > 0) && !docked) continue;
      if (!found.has(at)) found.set(at, { box: [box.x, box.y, box.width, box.height], text: at.innerText ?? '', buttons: 0 });
      found.get(at).buttons += 1;
    }
  }
  const text = (el, one) => one.text || [...(el.shadowRoot?.children ?? [])].map((child) => child.innerText ?? '').join(' ');
  return [...found].map(([el, one]) => ({ ...one, text: text(el, one).replace(/\s+/g, ' ').trim().slice(0, 3000) }))
    .filter((one) => one.buttons <= 12 && one.text.length >= 12 && one.box[2] > 40 && one.box[3] > 20).slice(0, 12);
}
