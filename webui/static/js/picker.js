// The sheet to say what a tile is: what the camera thinks next, then all 42 kinds.

import { $, h } from "./dom.js";
import { t, tileName } from "./i18n.js";
import { CODES, spokenName, tile as tileView, tileUrl } from "./tiles.js";

const dialog = $("#picker");
/** Chance from which another kind is offered beforehand; less is noise. */
const LIKELY = 0.01;
const SUITS = [
  ["m", "suit_m"],
  ["p", "suit_p"],
  ["s", "suit_s"],
  ["z", "suit_z"],
  ["f", "suit_f"],
];

/** Open a modal sheet and wait for what is chosen in it; `null` when it is closed. */
export function openSheet(element, build) {
  return new Promise((resolve) => {
    const finish = (value) => {
      element.removeEventListener("close", closed);
      resolve(value);
    };
    // The event comes late: by then the next question may be open in the same sheet, and its answer is not this one's.
    const closed = () => element.open || finish(null);
    element.addEventListener("close", closed);
    build((value) => {
      element.close();
      finish(value);
    });
    element.showModal();
  });
}

for (const sheet of document.querySelectorAll("dialog")) {
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close(); // the backdrop
  });
}

/**
 * Ask for a tile.
 *
 * @param options.title what is asked
 * @param options.current the tile as it stands (or null)
 * @param options.alternatives [[code, probability or null], …], likeliest first
 * @param options.crop a canvas with the tile as the camera sees it
 * @param options.exclude codes that cannot be chosen here
 * @param options.actions [{value, label, class}] further choices below the tiles
 * @returns {Promise<{tile: string} | {action: string} | null>}
 */
export function pickTile({ title, current = null, alternatives = [], crop = null, exclude = [], actions = [], gold = null, rules = "" }) {
  return openSheet(dialog, (done) => {
    const choose = (code) => done({ tile: code });
    const key = (code, extra = null) =>
      h(
        "button",
        {
          type: "button",
          class: `tile tile-key ${code === current ? "is-current" : ""}`,
          "data-code": code,
          "aria-label": code === gold ? spokenName(code, gold, rules) : tileName(code),
          "aria-pressed": code === current ? "true" : "false",
          disabled: exclude.includes(code),
          onclick: () => choose(code),
        },
        h("img", { src: tileUrl(code), alt: "", width: 60, height: 80, draggable: "false" }),
        extra,
      );
    const likely = alternatives.filter(([code, share]) => CODES.includes(code) && !exclude.includes(code) && (share === null || share >= LIKELY)).slice(0, 4);
    const parts = [];
    if (crop || likely.length) {
      parts.push(
        h(
          "div",
          { class: "picker-top" },
          crop ? h("figure", { class: "crop" }, crop, h("figcaption", {}, t("as_seen"))) : null,
          likely.length
            ? h(
                "div",
                { class: "likely" },
                h("h3", {}, t("likely")),
                h("div", { class: "likely-row" }, likely.map(([code, share]) => key(code, share === null ? null : h("span", { class: "share" }, `${Math.round(share * 100)}%`)))),
              )
            : null,
        ),
      );
    }
    parts.push(
      h(
        "div",
        { class: "keyboard" },
        SUITS.map(([suit, label]) =>
          h(
            "div",
            { class: `suit suit-${suit}`, role: "group", "aria-label": t(label) },
            h("span", { class: "suit-name", "aria-hidden": "true" }, t(label)),
            h("div", { class: "suit-keys" }, CODES.filter((code) => code[1] === suit).map((code) => key(code))),
          ),
        ),
      ),
    );
    if (actions.length) {
      parts.push(
        h(
          "div",
          { class: "sheet-actions" },
          actions.map((action) => h("button", { type: "button", class: `button ${action.class ?? ""}`, "data-action": action.value, onclick: () => done({ action: action.value }) }, action.label)),
        ),
      );
    }
    $(".sheet-title", dialog).textContent = title;
    $(".sheet-body", dialog).replaceChildren(...parts);
    $(".sheet-close", dialog).onclick = () => dialog.close();
  });
}

export { tileView };
