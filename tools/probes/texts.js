// Visible text by block: what a person reads as one piece, with what kind of place it stands in.

const CODE = "pre, code, kbd, samp, var, [class*='highlight'], [class*='syntax'], [class*='hljs'], [class*='prism']";
const EDITOR =
  "[contenteditable]:not([contenteditable='false']), [role='textbox'], .CodeMirror, .cm-editor, .monaco-editor, .ace_editor, .ProseMirror, .ql-editor, textarea";
const CONTROL = "button, a[href], summary, label, option, [role='button'], [role='tab'], [role='menuitem'], [role='link'], input";
const HEADING = "h1, h2, h3, h4, h5, h6, [role='heading'], legend, caption, th";

function placeOf(el) {
  if (closest(el, CODE)) return "code";
  if (closest(el, EDITOR)) return "editor";
  if (closest(el, HEADING)) return "heading";
  if (closest(el, CONTROL)) return "control";
  if (closest(el, "nav, [role='navigation'], header, footer, [role='tablist'], [role='menu']")) return "chrome";
  if (closest(el, "p, article, blockquote, dd")) return "prose";
  return "other";
}

const foreignLanguage = (el) => {
  const marked = closest(el, "[lang], [translate='no']");
  return marked !== null && marked !== pageRoot && marked !== pageBody;
};

function blockOf(r) {
  let block = r;
  while (
    block.up &&
    /^(inline|contents|ruby)/.test(block.style.display) &&
    !/^inline-(block|flex|grid)/.test(block.style.display)
  )
    block = block.up;
  return block;
}

// The pieces of a block as they are read: runs come by element, a sentence may go in and out of them.
function inOrder(pieces) {
  if (pieces.length > 1)
    pieces.sort((a, b) => (a.node.compareDocumentPosition(b.node) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  return folded(pieces.map(({ node, piece }) => (isBreak(node.previousSibling) ? ` ${piece}` : piece)).join(""));
}

const isBreak = (node) => node !== null && node.nodeName === "BR";

// Text a field shows: its value, or its hint while it is empty.
function fieldText(r) {
  if (r.tag !== "input" && r.tag !== "textarea") return null;
  if (/^(hidden|password|checkbox|radio|range|color|file|image)$/.test(r.el.type)) return null;
  const value = String(r.el.value || "");
  const text = value || attr(r.el, "placeholder") || "";
  return text ? { text: text.slice(0, 400), place: !value ? "hint" : r.tag === "textarea" ? "editor" : "value" } : null;
}

// The browser's own view of a file that is no web page (plain text, JSON): the body is nothing but one <pre>.
function isBareDocument(records) {
  if (!/html/.test(document.contentType)) return true;
  const inBody = records.filter((r) => r.tag !== "html" && r.tag !== "body");
  return inBody.length >= 1 && inBody.every((r) => r.tag === "pre" && r.up && r.up.tag === "body");
}

function probe({ blocks: blockLimit, characters }) {
  const { records, sampled } = census();
  const blocks = new Map();
  for (const run of textRuns(records)) {
    const block = blockOf(run.r);
    const known = blocks.get(block);
    if (known) {
      // A code sample within a sentence is no part of what the sentence says.
      const sample = known.place !== "code" && placeOf(run.r.el) === "code";
      known.pieces.push(...(sample ? [{ node: run.pieces[0].node, piece: "…" }] : run.pieces));
      known.seen.push(...run.seen.slice(0, 4));
      continue;
    }
    if (blocks.size >= blockLimit) break;
    blocks.set(block, {
      pieces: run.pieces,
      seen: run.seen.slice(0, 8),
      place: placeOf(run.r.el),
      foreign: foreignLanguage(run.r.el),
      r: block,
    });
  }
  const found = [...blocks.values()].map((block) => ({ ...block, text: inOrder(block.pieces), box: asBox(union(block.seen)) }));
  for (const r of records) {
    const field = r.visible ? fieldText(r) : null;
    if (field && found.length < blockLimit)
      found.push({ ...field, foreign: foreignLanguage(r.el), r, box: asBox(boundsOf(r.el)) });
  }
  let left = characters;
  const kept = [];
  for (const { text, place, foreign, r, box } of found) {
    if (left <= 0) break;
    const shown = text.slice(0, Math.min(left, 4000));
    left -= shown.length;
    kept.push({ text: shown, place, foreign, tag: r.tag, selector: pathOf(r.el, r), box });
  }
  const images = records.filter((r) => r.visible && r.tag === "img").slice(0, 500);
  return {
    blocks: kept,
    sampled: sampled || kept.length < found.length,
    title: pageTitle(),
    lang: (pageRoot && attr(pageRoot, "lang")) || "",
    bare: isBareDocument(records),
    images: images.map((r) => ({
      url: (r.el.currentSrc || r.el.src || "").slice(0, 300),
      selector: pathOf(r.el, r),
      box: asBox(boundsOf(r.el)),
    })),
  };
}
