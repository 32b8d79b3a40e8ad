/* A picture at full size; the other version takes its place at the press of a key, so that the eye sees what differs. */
"use strict";
document.documentElement.classList.add("js");
const viewer = document.getElementById("viewer");
const large = document.getElementById("large");
const which = document.getElementById("which");
const flip = document.getElementById("flip");
let pair = [];
let shown = 0;

function draw() {
  large.src = pair[shown].src;
  large.alt = pair[shown].alt;
  which.textContent = pair[shown].alt;
  flip.hidden = pair.length < 2;
}

function other() {
  if (pair.length < 2) return;
  shown = 1 - shown;
  draw();
}

for (const one of document.querySelectorAll(".zoom")) {
  one.addEventListener("click", () => {
    pair = [...one.closest(".pair").querySelectorAll("img")];
    shown = Math.max(0, pair.indexOf(one.querySelector("img")));
    draw();
    viewer.showModal();
    flip.focus();
  });
}
flip.addEventListener("click", other);
document.getElementById("close").addEventListener("click", () => viewer.close());
viewer.addEventListener("click", (event) => { if (event.target === viewer) viewer.close(); });
viewer.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") { event.preventDefault(); other(); }
});
