// What a small screen makes of the page: its viewport declaration, letters too small to read, targets too small to hit.

const TARGET =
  "a[href], button, input:not([type='hidden']), select, textarea, summary, [role='button'], [role='link'], [role='tab'], [role='checkbox'], [role='switch'], [role='menuitem'], [onclick]";

const alnum = (text) => (text.match(/[\p{L}\p{N}]/gu) || []).length;

function smallText(records, limit_px) {
  const small = [];
  let total = 0;
  for (const run of textRuns(records)) {
    const { r } = run;
    if (r.svgText || alnum(run.text) < 2) continue;
    total += run.text.length;
    const scale = r.el.offsetHeight > 0 ? boundsOf(r.el).height / r.el.offsetHeight : 1;
    const px =
      parseFloat(r.style.fontSize) *
      (r.tilted || !Number.isFinite(scale) ? 1 : scale) *
      (visualViewport ? visualViewport.scale : 1);
    if (px < limit_px - 0.05 && !r.moving && !/^(sup|sub)$/.test(r.tag)) small.push({ run, px });
  }
  small.sort((a, b) => a.px - b.px);
  const characters = small.reduce((sum, { run }) => sum + run.text.length, 0);
  const first = small
    .slice(0, 5)
    .map(({ run, px }) => ({
      selector: pathOf(run.r.el, run.r),
      px: tenth(px),
      text: run.text.slice(0, 60),
      box: asBox(union(run.seen)),
    }));
  return { count: small.length, characters, total, first };
}

// WCAG 2.2, 2.5.8: links within a sentence and controls the browser itself sizes are exempt.
function isExemptTarget(r) {
  if (r.tag === "a" && r.style.display === "inline") {
    const parent = parentNodeOf(r.el);
    return parent !== null && alnum(wordsOf(parent)) > alnum(wordsOf(r.el));
  }
  return r.tag === "input" && /^(checkbox|radio|range|color|file)$/.test(r.el.type) && r.style.appearance !== "none";
}

const middleOf = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];

// A small target is excused if a circle of 24 px around its middle meets no other target (nor another small one's circle).
function isCrowded(one, targets, size_px) {
  const [x, y] = middleOf(one.box);
  const half = size_px / 2;
  return targets.some((other) => {
    if (other === one || contains(other.r.el, one.r.el) || contains(one.r.el, other.r.el)) return false;
    const dx = Math.max(other.box.left - x, 0, x - other.box.right);
    const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
    if (dx * dx + dy * dy < half * half) return true;
    const [ox, oy] = middleOf(other.box);
    return other.small && (ox - x) ** 2 + (oy - y) ** 2 < size_px * size_px;
  });
}

function smallTargets(records, size_px) {
  const targets = [];
  for (const r of records) {
    if (!r.visible || !matches(r.el, TARGET) || matches(r.el, ":disabled") || targets.length >= 1000) continue;
    const whole = boundsOf(r.el);
    const box = cut(whole, r.hard);
    const reachable = box.right + scrollX > 0 && box.bottom + scrollY > 0 && box.left + scrollX < scrollWidthOf(pageScroller);
    if (areaOf(box) < 4 || areaOf(box) < 0.6 * areaOf(whole) || !reachable || r.opacity < 0.1) continue;
    const small = (widthOf(box) < size_px - 0.5 || heightOf(box) < size_px - 0.5) && !isExemptTarget(r);
    targets.push({ r, box, small });
  }
  const crowded = targets.filter((one) => one.small && isCrowded(one, targets, size_px));
  const first = crowded
    .slice(0, 5)
    .map(({ r, box }) => ({
      selector: pathOf(r.el, r),
      width: tenth(widthOf(box)),
      height: tenth(heightOf(box)),
      box: asBox(box),
    }));
  return { total: targets.length, small: targets.filter((one) => one.small).length, crowded: crowded.length, first };
}

const OPENS = "button, summary, label, [role='button'], [aria-controls], [aria-expanded]";
const OPENER = /menu|burger|nav|drawer|toggle|filter|sidebar|panel|more|open|cart|basket|bag/i;
const PART = "main, section, aside, form, article, div, ul, ol, table";

// What is hidden while something around it is in a state is one view of several (`.app[data-view=write] .read`).
const IN_A_STATE = /^[^\s>+~]*(?:\[(?!class|id)[^\]]*\]|\.(?:is|has|show(?:ing)?|view|mode|tab)-[\w-]+|:not\()[^\s>+~]*[\s>+~]/;

// Rules of narrow windows that hold now and take something off the page.
function hidingRules(rules, narrow, found) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      if (matchMedia(rule.conditionText).matches) hidingRules(rule.cssRules, narrow || /max-width|width\s*<|not all/.test(rule.conditionText), found);
    } else if (rule instanceof CSSStyleRule && narrow && rule.style.display === "none" && !/:(before|after)/.test(rule.selectorText)) {
      found.push(...rule.selectorText.split(",").map((one) => one.trim()).filter((one) => !IN_A_STATE.test(one)));
    }
  }
}

// Rules that would show something if something around it, or it itself, were in another state (`body[data-tab=dish] #dish`).
function showingRules(rules, found) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      if (matchMedia(rule.conditionText).matches) showingRules(rule.cssRules, found);
    } else if (rule instanceof CSSStyleRule && rule.style.display && rule.style.display !== "none") {
      found.push(...rule.selectorText.split(",").map((one) => one.trim()));
    }
  }
}

function comesBack(el, shows) {
  return shows.some((one) => {
    const names = one.split(/[\s>+~]+/).pop().match(/[#.][\w-]+/g) || [];
    return !matches(el, one) && names.some((name) => matches(el, name));
  });
}

// Parts that a phone's width takes off the page though something on it still leads there, or with controls that are nowhere else.
// Where any button may open a part (a menu's, a drawer's), nothing is said.
function lostParts(records) {
  const selectors = [];
  const shows = [];
  try {
    for (const sheet of document.styleSheets) {
      hidingRules(sheet.cssRules, false, selectors);
      showingRules(sheet.cssRules, shows);
    }
  } catch {
    return [];
  }
  const seen = records.filter((r) => r.visible && matches(r.el, OPENS));
  const opens = seen.some((r) => OPENER.test(`${attr(r.el, "class") || ""} ${idOf(r.el)} ${attr(r.el, "aria-controls") || ""} ${attr(r.el, "aria-label") || ""}`) && !contains(r.el, document.body));
  const names = new Set(records.filter((r) => r.visible).map((r) => folded(wordsOf(r.el))).filter((name) => name && name.length < 60));
  const lost = [];
  for (const selector of selectors.slice(0, 200)) {
    for (const el of document.querySelectorAll(selector)) {
      if (!matches(el, PART) || getComputedStyle(el).display !== "none" || comesBack(el, shows) || closest(el, "nav, header nav, td, th, tr, button, a, dialog, [hidden]")) continue;
      const linked = el.id && [...document.querySelectorAll(`a[href="#${CSS.escape(el.id)}"]`)].some((link) => link.getClientRects().length > 0);
      const controls = [...el.querySelectorAll("button, input:not([type='hidden']), select, textarea")].filter((one) => {
        const name = folded(attr(one, "aria-label") || wordsOf(one));
        return !names.has(name) || !name;
      });
      if (linked || (controls.length >= 2 && !opens)) lost.push({ selector: pathOf(el), text: folded(wordsOf(el)).slice(0, 60), linked: Boolean(linked), controls: controls.length });
    }
  }
  return lost.filter((one, index) => lost.findIndex((other) => other.selector === one.selector) === index).slice(0, 3);
}

function probe({ text_px, target_px }) {
  const { records, sampled } = census();
  const meta = document.querySelector("meta[name='viewport' i]");
  return {
    meta: meta ? attr(meta, "content") || "" : null,
    width: viewWidth,
    content_width: scrollWidthOf(pageScroller),
    text: smallText(records, text_px),
    targets: smallTargets(records, target_px),
    lost: lostParts(records),
    sampled,
  };
}
