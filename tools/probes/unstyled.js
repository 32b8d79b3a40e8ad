// How much of the page looks as the browser draws it when nobody styled anything.

const PLAIN_FONT = /^["']?(Times New Roman|Times|serif)["']?(,|$)/i;

function authorRules() {
  let rules = 0;
  let closed = 0;
  const failed = [];
  for (const sheet of [...document.styleSheets].slice(0, 200)) {
    if (sheet.disabled || (sheet.media.length > 0 && !matchMedia(sheet.media.mediaText).matches)) continue;
    try {
      rules += sheet.cssRules.length;
    } catch {
      closed += 1; // another origin's sheet: whether it loaded and what it holds is not to be read
    }
  }
  for (const sheet of document.adoptedStyleSheets.slice(0, 100)) rules += sheet.cssRules.length;
  for (const link of [...document.querySelectorAll("link[rel~='stylesheet'][href]")].slice(0, 100)) {
    const [entry] = performance.getEntriesByName(link.href);
    if (!link.disabled && (!link.sheet || (entry && entry.responseStatus >= 400))) failed.push(link.href.slice(0, 200));
  }
  const maker = [...document.querySelectorAll("script[src]")].find((el) => /tailwind|unocss|twind|windi/i.test(attr(el, "src")));
  return { rules, closed, failed, maker: maker ? maker.src.slice(0, 200) : "" };
}

const isButton = (r) => r.tag === "button" || (r.tag === "input" && /^(button|submit|reset)$/.test(r.el.type));
const isField = (r) =>
  (r.tag === "input" && /^(text|search|email|number|password|url|tel)$/.test(r.el.type)) ||
  r.tag === "textarea" ||
  r.tag === "select";

// How the browser's own style sheet draws them.
const plainLink = (r) => r.style.color === "rgb(0, 0, 238)" && /underline/.test(r.style.textDecorationLine);
const plainButton = (r) => /outset/.test(r.style.borderTopStyle) && r.style.backgroundColor === "rgb(239, 239, 239)";
const plainSelect = (r) =>
  r.style.appearance !== "none" && /^rgb\((118|133), (118|133), (118|133)\)$/.test(r.style.borderTopColor);
const plainField = (r) => (r.tag === "select" ? plainSelect(r) : /inset/.test(r.style.borderTopStyle));

// Share of the window that the largest picture or canvas fills.
function pictureShare(records) {
  const view = { left: 0, top: 0, right: viewWidth, bottom: viewHeight };
  const areas = records
    .filter((r) => r.visible && /^(canvas|svg|video|img)$/.test(r.tag))
    .map((r) => areaOf(cut(boundsOf(r.el), view)));
  return Math.max(0, ...areas.slice(0, 2000)) / (viewWidth * viewHeight);
}

function share(records, picks, plain) {
  const picked = records.filter((r) => r.visible && picks(r)).slice(0, 300);
  return picked.length === 0 ? null : picked.filter(plain).length / picked.length;
}

function probe() {
  const { records, sampled } = census();
  const runs = textRuns(records);
  const characters = (list) => list.reduce((sum, run) => sum + run.text.length, 0);
  const body = pageBody ? getComputedStyle(pageBody) : null;
  const total = characters(runs);
  return {
    ...authorRules(),
    inline: records.filter((r) => hasAttr(r.el, "style")).length,
    characters: total,
    plain_font: total === 0 ? null : characters(runs.filter((run) => PLAIN_FONT.test(run.r.style.fontFamily))) / total,
    margins: body !== null && SIDES.every((side) => body[`margin${side}`] === "8px"),
    links: share(records, (r) => r.tag === "a" && hasAttr(r.el, "href") && wordsOf(r.el).trim() !== "", plainLink),
    buttons: share(records, isButton, plainButton),
    fields: share(records, isField, plainField),
    controls: records.filter((r) => r.visible && (isButton(r) || isField(r))).length,
    picture_share: pictureShare(records),
    html: /html/.test(document.contentType),
    sampled,
  };
}
