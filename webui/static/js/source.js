// Which camera is looked at: a sheet with those there are, and a line for an address, a file or a folder.

import { ApiFailure, get, post } from "./api.js";
import { $, h } from "./dom.js";
import { page, pick, t, whole } from "./i18n.js";
import { openSheet } from "./picker.js";
import { resume, update } from "./store.js";
import { say } from "./toast.js";

const dialog = $("#source-sheet");

export function chooseSource() {
  return openSheet(dialog, (done) => {
    const body = $(".sheet-body", dialog);
    const note = h("p", { class: "card-note tone-trouble", role: "alert", hidden: true });
    const busy = h("p", { class: "muted", role: "status", hidden: true }, t("source_opening"));
    const list = h("div", { class: "source-list" }, h("p", { class: "muted" }, t("source_looking")));

    const choose = async (spec) => {
      note.hidden = true;
      busy.hidden = false;
      body.inert = true;
      try {
        await post("/api/source", { spec });
        page.source = spec;
        resume();
        update({ tiles: [], picture: null });
        done(spec);
        say(t("source_changed"));
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure;
        note.textContent = whole(failure.error);
        note.hidden = false;
      } finally {
        body.inert = false;
        busy.hidden = true;
      }
    };

    const show = ({ sources }) =>
      list.replaceChildren(
        ...sources.map(({ spec, name, current }) =>
          h("button", { type: "button", class: `button source-one ${current ? "is-current" : ""}`, "data-spec": spec, "aria-pressed": String(current), onclick: () => choose(spec) }, h("span", {}, pick(name)), h("small", {}, current ? t("source_current") : pick(name) === spec ? "" : spec)),
        ),
      );

    const address = h("input", { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: "rtsp://…  ·  /photos  ·  hand.mp4", "aria-label": t("source_address") });
    const form = h(
      "form",
      { class: "source-other", onsubmit: (event) => { event.preventDefault(); choose(address.value); } },
      h("label", { class: "field text-field" }, h("span", {}, t("source_address")), address),
      h("button", { type: "submit", class: "button" }, t("source_use")),
    );
    body.replaceChildren(note, busy, list, ...(page.local ? [form] : []));
    $(".sheet-title", dialog).textContent = t("source_title");
    $(".sheet-close", dialog).onclick = () => dialog.close();
    get("/api/sources").then(show, (failure) => {
      if (!(failure instanceof ApiFailure)) throw failure;
      list.replaceChildren();
      note.textContent = whole(failure.error);
      note.hidden = false;
    });
  });
}
