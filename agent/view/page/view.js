/* What pages do beyond links and forms; all of them work without it, but for a run that goes on. */
"use strict";

const POLL_MS = 1000, SLOWEST_MS = 8000;

/** A filter that was chosen holds at once. */
function filterAtOnce() {
  for (const choice of document.querySelectorAll("select[data-now]")) {
    choice.addEventListener("change", () => choice.form.requestSubmit());
  }
}

/** What is chosen to stand side by side: two, no more. */
function countPicked() {
  const said = document.getElementById("picked");
  if (!said) return;
  const boxes = [...document.querySelectorAll("#pick input[name=run]")];
  const button = document.querySelector("#pick .bar button");
  const tell = () => {
    const count = boxes.filter((box) => box.checked).length;
    button.disabled = count !== 2;
    said.textContent = count === 2 ? "" : count > 2 ? `${count} are ticked: two can be shown.` : count ? "Tick one more." : "Tick two runs.";
  };
  for (const box of boxes) box.addEventListener("change", tell);
  tell();
}

/** Taking a mark back must not send the opinion that is ticked along with it. */
function takeBackAlone() {
  for (const button of document.querySelectorAll("button[data-alone]")) {
    button.addEventListener("click", () => {
      for (const radio of button.form.querySelectorAll("input[type=radio]")) radio.disabled = true;
    });
  }
}

/** A run that goes on is asked for again and again; what is unfolded stays so. */
async function follow(live) {
  let wait = POLL_MS;
  for (;;) {
    await new Promise((done) => setTimeout(done, wait));
    if (document.hidden) continue;
    try {
      const seen = live.querySelector("[data-version]").dataset.version;
      const answer = await fetch(`${live.dataset.live}?seen=${seen}`, { cache: "no-store" });
      wait = POLL_MS;
      if (answer.status === 205) {
        document.getElementById("live-status").textContent = "The run is over.";
        location.reload();
        return;
      }
      if (answer.status !== 200) continue;
      const open = live.querySelector("details")?.open;
      live.innerHTML = await answer.text();
      if (open) live.querySelector("details").open = true;
      document.getElementById("steering").hidden = !live.querySelector("[data-steerable]");
    } catch {
      document.getElementById("live-status").textContent = "assay view does not answer.";
      wait = Math.min(wait * 2, SLOWEST_MS);
    }
  }
}

filterAtOnce();
countPicked();
takeBackAlone();
const live = document.querySelector("[data-live]");
if (live) follow(live);
