/* The list of jobs: filtered, sorted and shown a hundred at a time, because ten thousand rows at once make a page slow. */
"use strict";
document.documentElement.classList.add("js");
const data = JSON.parse(document.getElementById("data").textContent);
const COLUMNS = [
  ["model", 1], ["query", 0], ["trial", 2], ["domain", 3], ["difficulty", 4], ["language", 5], ["state", 6],
  ["functionality", 7], ["aesthetics", 8], ["failures", 9], ["why", 10], ["run", 11],
];
const NUMBERS = new Set([2, 7, 8, 9]);
const SIZE = 100;
const view = { rows: data.rows, sort: null, down: false, page: 0 };
const by = (id) => document.getElementById(id);

function element(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

function options(id, place) {
  const values = [...new Set(data.rows.map((row) => row[place]))].filter((value) => value !== "").sort();
  for (const value of values) by(id).append(element("option", value));
}

function chosen() {
  const text = by("f-text").value.trim().toLowerCase();
  const exact = [["f-model", 1], ["f-domain", 3], ["f-difficulty", 4], ["f-status", 6]].map(([id, place]) => [by(id).value, place]);
  return data.rows.filter((row) => exact.every(([value, place]) => !value || row[place] === value)
    && (!text || `${row[0]}\n${row[10]}`.toLowerCase().includes(text)));
}

function compare(one, other) {
  const [a, b] = [one[view.sort], other[view.sort]];
  if (a === null || b === null) return (a === null) - (b === null);
  const order = NUMBERS.has(view.sort) ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
  return view.down ? -order : order;
}

function cell(row, place) {
  const value = row[place];
  const made = element("td");
  if (place === 11) {
    if (value) {
      const link = element("a", "report");
      link.href = value;
      made.append(link);
    }
    return made;
  }
  if (NUMBERS.has(place)) made.className = "n";
  made.textContent = value === null ? "–" : place === 7 || place === 8 ? value.toFixed(1) : value;
  if (typeof value === "string" && value.length > 40) made.title = value;
  return made;
}

function draw() {
  const last = Math.max(0, Math.ceil(view.rows.length / SIZE) - 1);
  view.page = Math.min(view.page, last);
  const part = view.rows.slice(view.page * SIZE, (view.page + 1) * SIZE);
  by("list").tBodies[0].replaceChildren(...part.map((row) => {
    const line = element("tr");
    line.append(...COLUMNS.map(([, place]) => cell(row, place)));
    return line;
  }));
  by("shown").textContent = `${view.rows.length.toLocaleString("en")} of ${data.rows.length.toLocaleString("en")} jobs`;
  by("page").textContent = `page ${view.page + 1} of ${last + 1}`;
  by("before").disabled = view.page === 0;
  by("after").disabled = view.page === last;
}

function refresh() {
  view.rows = chosen();
  if (view.sort !== null) view.rows.sort(compare);
  view.page = 0;
  draw();
}

for (const [name, place] of COLUMNS) {
  const head = element("th");
  head.scope = "col";
  if (NUMBERS.has(place)) head.className = "n";
  const press = element("button", name);
  press.type = "button";
  press.addEventListener("click", () => {
    view.down = view.sort === place && !view.down;
    view.sort = place;
    for (const other of by("list").tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", view.down ? "descending" : "ascending");
    refresh();
  });
  head.append(press);
  by("list").tHead.rows[0].append(head);
}
options("f-model", 1);
options("f-domain", 3);
options("f-difficulty", 4);
options("f-status", 6);
by("filter").addEventListener("input", refresh);
by("filter").addEventListener("submit", (event) => event.preventDefault());
by("before").addEventListener("click", () => { view.page -= 1; draw(); });
by("after").addEventListener("click", () => { view.page += 1; draw(); });
draw();
