// What the DOM says is there to be seen: text, media, controls, painted boxes; canvases are judged from the picture.

const CONTROLS = new Set(["button", "input", "select", "textarea", "summary", "meter", "progress"]);
const MEDIA = new Set(["video", "svg", "iframe", "object", "embed", "audio"]);

function isPaintedBox(r) {
  const area = areaOf(cut(boundsOf(r.el), r.hard));
  return area >= 16 && area <= 0.95 * viewWidth * viewHeight && standsOut(r);
}

function probe() {
  const { records, sampled } = census();
  const shown = (r) => r.visible && areaOf(cut(boundsOf(r.el), r.hard)) >= 16;
  const counts = { images: 0, media: 0, controls: 0, boxes: 0 };
  const canvases = [];
  for (const r of records) {
    if (r.tag === "html" || r.tag === "body" || r.svgText || !shown(r)) continue;
    if (r.tag === "canvas") canvases.push(asBox(boundsOf(r.el)));
    else if (r.tag === "img") counts.images += r.el.complete && r.el.naturalWidth > 0 ? 1 : 0;
    else if (MEDIA.has(r.tag)) counts.media += 1;
    else if (CONTROLS.has(r.tag) && r.el.type !== "hidden") counts.controls += 1;
    else if (counts.boxes < 100 && isPaintedBox(r)) counts.boxes += 1;
  }
  const text = textRuns(records)
    .map((run) => run.text)
    .join(" ");
  return {
    ...counts,
    canvases: canvases.slice(0, 50),
    text_length: text.replace(/\s/g, "").length,
    elements: records.length,
    sampled,
  };
}
