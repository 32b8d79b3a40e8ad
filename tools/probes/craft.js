// What the layout is made of, for measures of craft: texts, boxes, distances, like elements, images, transitions.
// Texts that talk about grading are left out: what a page says about itself must not move a measure.

const TEXTS_AT_MOST = 400;
const BOXES_AT_MOST = 300;
const ABOUT_GRADING =
  /\b(evaluat\w*|grad(er|ing)s?|judges?|review(er|ing)s?|rater|reward|instructions?|prompt|full marks|points|deduct\w*|ai|llm|gpt|assistant)\b|评审|评委|评估|评分|打分|满分|扣分|指令|指示|模型|助手/i;

const inPage = (rect) => ({ x: tenth(rect.left + scrollX), y: tenth(rect.top + scrollY), w: tenth(widthOf(rect)), h: tenth(heightOf(rect)) });
const px = (text) => parseFloat(text) || 0;

// An element that holds nothing but such a text.
const talksOfGrading = (r) => firstChildOf(r.el) === null && ABOUT_GRADING.test(wordsOf(r.el).slice(0, 300));

function headingOf(r) {
  for (let at = r, depth = 0; at && depth < 3; at = at.up, depth += 1) {
    if (/^h[1-6]$/.test(at.tag)) return Number(at.tag[1]);
    if (attr(at.el, "role") === "heading") return Number(attr(at.el, "aria-level")) || 2;
  }
  return 0;
}

function textOf(run) {
  const s = run.r.style;
  return {
    ...inPage(union(run.seen)),
    lines: run.seen.length,
    size: Math.round(px(s.fontSize) * 4) / 4,
    weight: Number(s.fontWeight) || 400,
    family: s.fontFamily.split(",")[0].replace(/["']/g, "").trim().toLowerCase(),
    heading: headingOf(run.r),
    characters: Math.min(run.text.length, 400),
    control: closest(run.r.el, "button,[role=button],input,select,textarea,summary") !== null,
  };
}

const CONTROL = "button,[role=button],input:not([type=hidden]),select,textarea,a[href],[role=tab],[role=switch],summary";

function kindOfBox(r) {
  if (matches(r.el, "button,[role=button],input[type=submit],input[type=button],[role=tab]")) return "button";
  if (matches(r.el, "input,select,textarea")) return "field";
  if (matches(r.el, "a[href]")) return "link";
  if (/^(img|canvas|video|svg)$/.test(r.tag)) return "media";
  return standsOut(r, 3) ? "panel" : "";
}

function boxesOf(records) {
  const found = [];
  for (const r of records) {
    if (found.length >= BOXES_AT_MOST) break;
    if (!r.visible || isPageBox(r.el) || r.position === "fixed" || talksOfGrading(r)) continue;
    const kind = kindOfBox(r);
    const rect = kind ? cut(boundsOf(r.el), r.hard) : null;
    if (!rect || areaOf(rect) < 60 || widthOf(rect) > viewWidth * 0.98) continue;
    const s = r.style;
    const parent = parentNodeOf(r.el);
    found.push({
      ...inPage(rect),
      kind,
      parent: parent && kindOf(parent) === 1 ? pathOf(parent) : "",
      look: kind + "." + [...r.el.classList].filter((name) => !/active|selected|current|on$|open|primary|danger|secondary/.test(name)).sort().join("."),
      radius: px(s.borderTopLeftRadius),
      font: px(s.fontSize),
      family: s.fontFamily.split(",")[0].toLowerCase(),
      pad: px(s.paddingLeft),
      border: px(s.borderTopWidth),
      inner: kind === "panel" || kind === "button" ? Math.min(px(s.paddingLeft), px(s.paddingRight)) : null,
    });
  }
  return found;
}

// Paddings, margins and gaps as the styles give them; of elements styled alike at most three are asked.
function distances(records) {
  const seen = new Map();
  const values = [];
  for (const r of records) {
    if (!r.visible || values.length > 3000) continue;
    if (talksOfGrading(r)) continue;
    const look = r.tag + "." + [...r.el.classList].sort().join(".") + (hasAttr(r.el, "style") ? "!" : "");
    const before = seen.get(look) || 0;
    seen.set(look, before + 1);
    if (before >= 3) continue;
    const s = r.style;
    for (const side of SIDES) {
      values.push(px(s["padding" + side]));
      const margin = px(s["margin" + side]);
      if (margin > 0 && margin < 100) values.push(margin);
    }
    if (/flex|grid/.test(s.display)) values.push(px(s.rowGap), px(s.columnGap));
  }
  return values.filter((value) => value >= 1 && value <= 120).map(tenth);
}

function imagesOf(records) {
  return records
    .filter((r) => r.visible && r.tag === "img" && r.el.complete && r.el.naturalWidth > 0)
    .slice(0, 100)
    .map((r) => {
      const box = boundsOf(r.el);
      return {
        w: box.width, h: box.height, naturalW: r.el.naturalWidth, naturalH: r.el.naturalHeight,
        fit: r.style.objectFit, vector: /\.svg(\?|$)|^data:image\/svg/.test(r.el.currentSrc || r.el.src),
      };
    });
}

function motionOf(records) {
  const seconds = (text) => text.split(",").map((part) => (/ms/.test(part) ? parseFloat(part) : parseFloat(part) * 1000) || 0);
  const controls = records.filter((r) => r.visible && matches(r.el, CONTROL)).slice(0, 150);
  const durations = [];
  let plainEasing = 0;
  for (const r of controls) {
    const longest = Math.max(...seconds(r.style.transitionDuration));
    if (longest <= 0) continue;
    durations.push(longest);
    if (/^linear$|^steps/.test(r.style.transitionTimingFunction)) plainEasing += 1;
  }
  const endless = records.filter((r) => r.visible && /infinite/.test(r.style.animationIterationCount) && r.style.animationName !== "none");
  return { controls: controls.length, durations, plainEasing, endless: endless.length };
}

function probe() {
  const { records, sampled } = census();
  const runs = textRuns(records).filter((run) => !ABOUT_GRADING.test(run.text) && !run.r.svgText);
  const view = { left: 0, top: 0, right: viewWidth, bottom: viewHeight };
  const media = records
    .filter((r) => r.visible && /^(img|canvas|video|svg)$/.test(r.tag))
    .map((r) => cut(boundsOf(r.el), view))
    .filter((rect) => areaOf(rect) > 400)
    .slice(0, 200)
    .map(asBox);
  const targets = records
    .filter((r) => r.visible && matches(r.el, CONTROL) && !(r.tag === "a" && r.style.display === "inline"))
    .slice(0, 200)
    .map((r) => boundsOf(r.el))
    .filter((box) => box.width > 0 && box.height > 0)
    .map((box) => ({ w: tenth(box.width), h: tenth(box.height) }));
  return {
    texts: runs.slice(0, TEXTS_AT_MOST).map(textOf),
    boxes: boxesOf(records),
    distances: distances(records),
    images: imagesOf(records),
    motion: motionOf(records),
    media,
    targets,
    width: viewWidth,
    sampled,
  };
}
