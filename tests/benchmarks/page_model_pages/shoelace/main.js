import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace";
import { setBasePath } from "@shoelace-style/shoelace/dist/utilities/base-path.js";

setBasePath("/");

class PlantCard extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `
      <style>sl-card { width: 100%; } h3 { margin: 0 0 8px; }</style>
      <sl-card>
        <h3></h3><span></span>
        <sl-progress-bar label="Water"></sl-progress-bar>
        <sl-button slot="footer" size="small" variant="primary">Water</sl-button>
        <sl-icon-button slot="footer" name="pencil" label="Edit"></sl-icon-button>
      </sl-card>`;
    root.querySelector("h3").textContent = this.getAttribute("name");
    root.querySelector("span").textContent = `Every ${this.getAttribute("days")} days`;
    const bar = root.querySelector("sl-progress-bar");
    bar.value = Number(this.getAttribute("water"));
    root.querySelector("sl-button").addEventListener("click", () => (bar.value = 100));
  }
}
customElements.define("plant-card", PlantCard);

document.querySelector("#plant").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = new FormData(event.target);
  const card = document.createElement("plant-card");
  for (const [name, value] of [
    ["name", given.get("name")],
    ["days", given.get("days")],
    ["water", "0"],
  ])
    card.setAttribute(name, value);
  document.querySelector("#plants").append(card);
  document.querySelector("#count").textContent = document.querySelectorAll("plant-card").length;
});
