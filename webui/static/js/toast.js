// Short notices at the bottom, some with a button that takes back what was just done.

import { ApiFailure } from "./api.js";
import { $, h } from "./dom.js";
import { t, whole } from "./i18n.js";
import { lastStep } from "./store.js";

const toast = $("#toast");
let timer = 0;
let offered = null;

/**
 * @param options.undo called by the toast's own button
 * @param options.step the step of the draft that `undo` takes back: the offer goes with the next step
 */
export function say(text, { undo = null, step = null, trouble = false } = {}) {
  clearTimeout(timer);
  offered = step;
  toast.className = `toast ${trouble ? "tone-trouble" : ""}`;
  toast.replaceChildren(
    h("span", {}, text),
    undo ? h("button", { type: "button", class: "button button-quiet", onclick: () => { hide(); undo(); } }, t("undo")) : "",
    h("button", { type: "button", class: "icon-button", "aria-label": t("close"), onclick: hide }, "×"),
  );
  toast.hidden = false;
  timer = setTimeout(hide, trouble ? 12000 : 7000);
}

export function hide() {
  toast.hidden = true;
  offered = null;
}

/** Its button would take back something else than it says. */
export function dropStaleOffer() {
  if (offered && offered !== lastStep()) hide();
}

/** Tell what the server refused; anything else is a fault of ours and goes on. */
export function fail(failure) {
  if (!(failure instanceof ApiFailure)) throw failure;
  say(whole(failure.error), { trouble: true });
}
