// A settlement line by line: what was counted, how the tiles were read, who pays what.

import { h } from "./dom.js";
import { page, pick, t, whole } from "./i18n.js";
import { term } from "./glossary.js";
import { SEATS, seatName } from "./seats.js";
import { state } from "./store.js";
import { tiles } from "./tiles.js";

export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

const present = () => ({ gold: state.hand.gold, rules: state.settings.rules });

/** Water, patterns, reading and the formula; `options` say what the gold was. */
export function settlementDetails(settlement, options = present()) {
  const parts = [];
  const rows = [...(settlement.water ?? []), ...(settlement.patterns ?? [])];
  if (rows.length) {
    parts.push(
      h(
        "table",
        { class: "water" },
        h("caption", { class: "visually-hidden" }, t("counted")),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h("tr", {}, h("th", { scope: "row" }, pick(row)), h("td", { class: "water-tiles" }, row.tiles ? tiles(row.tiles, options) : ""), h("td", { class: "number" }, settlement.patterns?.includes(row) ? `×${row.value}` : row.value)),
          ),
        ),
        settlement.water?.length
          ? h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: 2 }, t("water_total"), " ", term("water")), h("td", { class: "number" }, settlement.water_total)))
          : null,
      ),
    );
  }
  if (settlement.reading?.length) {
    parts.push(
      h("div", { class: "reading" }, h("h4", {}, t("reading_title")), h("div", { class: "reading-sets" }, settlement.reading.map((text) => tiles(text, options)))),
    );
    if (settlement.golds_as?.length) parts.push(h("p", { class: "golds-as" }, t("golds_as"), " ", h("span", { class: "tile-row" }, settlement.golds_as.map((code) => tiles(code)))));
  }
  for (const line of settlement.lines ?? []) parts.push(h("p", { class: "formula" }, pick(line)));
  return parts;
}

/** Four seats and what each pays or gets. */
export function payments(settlement) {
  const bonus = settlement.bonus && Object.values(settlement.bonus).some(Boolean);
  return h(
    "div",
    { class: "payments" },
    SEATS.map((seat) => {
      const amount = settlement.payments?.[seat] ?? 0;
      const extra = settlement.bonus?.[seat] ?? 0;
      return h(
        "div",
        { class: `seat-card ${amount + extra > 0 ? "gains" : amount + extra < 0 ? "pays" : ""}`, "data-seat": seat },
        h("span", { class: "seat-name" }, seatName(seat), seat === state.settings.dealer ? h("span", { class: "tag tag-dealer" }, t("dealer_mark")) : null),
        h("strong", { class: "seat-amount" }, signed(amount)),
        bonus ? h("span", { class: "seat-bonus" }, t("bonus_line", { n: signed(extra) })) : null,
      );
    }),
  );
}

/** The whole sheet: head, payments, details. */
export function settlementSheet(settlement) {
  if (settlement.valid === false) {
    return [h("div", { class: "card-note tone-trouble", role: "alert" }, h("strong", {}, t("no_win")), " ", whole(settlement.error))];
  }
  return [
    h(
      "div",
      { class: "settlement-head" },
      h("h3", {}, pick(settlement.method_name) || t("settlement")),
      settlement.multiplier ? h("span", { class: "multiplier" }, `×${settlement.multiplier}`) : null,
    ),
    payments(settlement),
    ...settlementDetails(settlement),
    page.rules[state.settings.rules].chips && settlement.bonus && Object.values(settlement.bonus).some(Boolean) ? h("p", { class: "muted small" }, t("bonus_note")) : null,
  ].filter(Boolean);
}
