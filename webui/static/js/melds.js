// The sheet for a meld on the table: chow, pong or a kong, of what, and from whom.

import { $, h, renew } from "./dom.js";
import { t } from "./i18n.js";
import { segmented } from "./fields.js";
import { openSheet, pickTile } from "./picker.js";
import { SEATS, seatName } from "./seats.js";
import { newTile, state } from "./store.js";
import { FLOWERS, tile as tileView, whiteStandsFor } from "./tiles.js";

const dialog = $("#meld-sheet");
const KINDS = ["chow", "pong", "kong", "added_kong", "concealed_kong"];

/** The physical tiles of a meld that starts with `code`: a white steps in for the face of the gold. */
export function meldTiles(kind, code, gold, rules) {
  const stands = (wanted) => (wanted === gold && whiteStandsFor("5z", gold, rules) ? "5z" : wanted);
  if (kind === "chow") {
    const value = whiteStandsFor(code, gold, rules) ?? code;
    if (value[1] === "z" || value[1] === "f") return null;
    const first = Math.min(Number(value[0]), 7);
    return [0, 1, 2].map((step) => stands(`${first + step}${value[1]}`));
  }
  return Array(kind === "pong" ? 3 : 4).fill(stands(code));
}

/** Ask for a meld; answers {kind, from, codes}, {action: "remove"}, or null. */
export function askMeld(existing = null) {
  const { gold } = state.hand;
  const { rules, seat } = state.settings;
  const meld = existing
    ? { kind: existing.kind, from: existing.from ?? null, codes: existing.tiles.map((item) => item.tile), base: existing.tiles[0]?.tile ?? null }
    : { kind: "pong", from: null, codes: null, base: null };

  return openSheet(dialog, (done) => {
    const body = $(".sheet-body", dialog);
    const draw = (message = "") => {
      renew(body, [
        segmented({ legend: t("meld_kind"), name: "meld-kind", value: meld.kind, options: KINDS.map((kind) => ({ value: kind, label: t(`meld_${kind}`) })), onpick: (kind) => {
          meld.kind = kind;
          recompute();
        } }),
        h(
          "div",
          { class: "field" },
          h("span", { class: "legend" }, meld.kind === "chow" ? t("meld_lowest") : t("meld_of")),
          h(
            "div",
            { class: "tile-choice" },
            (meld.codes ?? []).map((code) => tileView(code, { gold, rules })),
            h("button", { type: "button", class: "button", "data-meld-tile": "" }, meld.codes ? t("change") : t("choose_tile")),
          ),
          h("p", { class: "hint", role: "status" }, message),
        ),
        meld.kind === "concealed_kong" || meld.kind === "chow"
          ? null
          : segmented({ legend: t("claimed_from"), name: "meld-from", value: meld.from ?? "", options: [{ value: "", label: t("unknown") }, ...SEATS.filter((s) => s !== seat).map((s) => ({ value: s, label: seatName(s) }))], onpick: (from) => (meld.from = from || null) }),
        h(
          "div",
          { class: "sheet-actions" },
          existing ? h("button", { type: "button", class: "button button-danger", onclick: () => done({ action: "remove" }) }, t("remove_meld")) : null,
          h("button", { type: "button", class: "button button-primary", disabled: !meld.codes, "data-meld-done": "", onclick: () => done({ kind: meld.kind, from: meld.kind === "concealed_kong" || meld.kind === "chow" ? null : meld.from, codes: meld.codes }) }, t("done")),
        ),
      ]);
      // The picker is a sheet of its own on top of this one.
      $("[data-meld-tile]", body).onclick = async () => {
        const choice = await pickTile({ title: meld.kind === "chow" ? t("meld_lowest") : t("meld_of"), current: meld.base, exclude: excluded(), gold, rules });
        if (choice?.tile) {
          meld.base = choice.tile;
          recompute();
        }
      };
    };
    const excluded = () => [...(gold ? (whiteStandsFor("5z", gold, rules) ? [] : [gold]) : []), ...FLOWERS];
    const recompute = () => {
      meld.codes = meld.base ? meldTiles(meld.kind, meld.base, gold, rules) : null;
      draw(meld.base && !meld.codes ? t("chow_needs_suit") : "");
    };
    $(".sheet-title", dialog).textContent = existing ? t("edit_meld_title") : t("add_meld");
    $(".sheet-close", dialog).onclick = () => dialog.close();
    body.replaceChildren(); // what another meld's sheet left there answers for that one
    draw();
  });
}

/** Put the answer of `askMeld` into a meld of the hand. */
export function applyMeld(meld, answer) {
  meld.kind = answer.kind;
  meld.from = answer.from;
  meld.tiles = answer.codes.map((code, index) => (meld.tiles?.[index]?.tile === code ? meld.tiles[index] : newTile(code)));
  return meld;
}
