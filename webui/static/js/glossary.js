// Small question marks that explain a term where it stands.

import { h } from "./dom.js";
import { page, pick, t } from "./i18n.js";

let bubble = null;
let opener = null;

function hide() {
  bubble?.remove();
  opener?.setAttribute("aria-expanded", "false");
  bubble = opener = null;
}

function show(button, entry) {
  const again = opener === button;
  hide();
  if (again) return;
  opener = button;
  button.setAttribute("aria-expanded", "true");
  bubble = h("div", { class: "bubble", role: "tooltip", id: "term-bubble" }, h("strong", {}, pick(entry.term)), h("span", { class: "pinyin", lang: "zh-Latn" }, entry.pinyin), h("p", {}, pick(entry.text)));
  document.body.append(bubble);
  const place = button.getBoundingClientRect();
  const width = bubble.offsetWidth;
  bubble.style.left = `${Math.max(8, Math.min(place.left + place.width / 2 - width / 2, document.documentElement.clientWidth - width - 8)) + scrollX}px`;
  const below = place.bottom + 8 + bubble.offsetHeight < innerHeight;
  bubble.style.top = `${(below ? place.bottom + 8 : place.top - bubble.offsetHeight - 8) + scrollY}px`;
}

/** A "?" behind a word; a tap shows what the word means. */
export function term(key) {
  const entry = page.glossary[key];
  if (!entry) throw new Error(`no such term: ${key}`);
  return h(
    "button",
    {
      type: "button",
      class: "term",
      "aria-label": t("explain", { term: pick(entry.term) }),
      "aria-expanded": "false",
      onclick: (event) => {
        event.preventDefault();
        event.stopPropagation();
        show(event.currentTarget, entry);
      },
    },
    "?",
  );
}

document.addEventListener("click", (event) => {
  if (bubble && !bubble.contains(event.target)) hide();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
});

for (const place of document.querySelectorAll("[data-term]")) place.replaceWith(term(place.dataset.term));
