// The settlement form of a finished hand. It shows only what this game and this way of winning need.

import { h } from "./dom.js";
import { page, pick, t } from "./i18n.js";
import { checkbox, number, segmented } from "./fields.js";
import { term } from "./glossary.js";
import { concealedCount, edit, expected, newWin, set, state } from "./store.js";
import { face, spokenName } from "./tiles.js";

const SEATS = ["A", "B", "C", "D"];

export class SettleForm {
  /** @param pick opens the picker and answers a code or null */
  constructor(root, pickCode) {
    this.root = root;
    this.pickCode = pickCode;
    this.shown = "";
    this.more = false;
  }

  render() {
    const { hand, settings, win } = state;
    const signature = JSON.stringify([win, settings, hand.youjin, hand.drawn?.tile, hand.concealed.map((item) => item.tile), hand.gold, hand.melds.length]);
    if (signature === this.shown) return;
    this.shown = signature;
    const focused = this.root.contains(document.activeElement) ? document.activeElement.closest("[data-field]")?.dataset.field : null;
    const focusedValue = document.activeElement?.value;
    this.root.replaceChildren(...this.build());
    if (focused) {
      const field = this.root.querySelector(`[data-field="${focused}"]`);
      const inputs = [...(field?.querySelectorAll("input, select, button") ?? [])];
      (inputs.find((input) => input.value === focusedValue) ?? inputs[0])?.focus({ preventScroll: true });
    }
  }

  build() {
    const { settings, win, hand } = state;
    const game = page.rules[settings.rules];
    const method = game.methods[win.by];
    const seatLabel = (seat) => [seat, seat === settings.dealer ? ` ${t("dealer_mark")}` : ""].join("");
    const parts = [
      segmented({
        legend: t("winner"),
        name: "seat",
        value: settings.seat,
        options: SEATS.map((seat) => ({ value: seat, label: seatLabel(seat) })),
        onpick: (seat) =>
          set((s) => {
            s.settings.seat = seat;
            if (s.win.from === seat) s.win.from = null;
          }),
      }),
      segmented({ legend: t("dealer"), name: "dealer", value: settings.dealer, options: SEATS.map((seat) => ({ value: seat, label: seat })), onpick: (seat) => set((s) => void (s.settings.dealer = seat)) }),
      segmented({
        legend: t("how_won"),
        name: "by",
        value: win.by,
        options: Object.entries(game.methods).map(([by, entry]) => ({ value: by, label: pick(entry.name) })),
        onpick: (by) => set((s) => void (s.win = { ...newWin(), by, tile: s.win.tile, from: s.win.from })),
      }),
    ];
    if (!method) {
      parts.push(h("p", { class: "hint" }, t("choose_method")));
    } else {
      if (method.from) {
        parts.push(
          segmented({
            legend: t(win.by === "rob_kong" ? "robbed_from" : "discarded_by"),
            name: "from",
            value: win.from,
            options: SEATS.filter((seat) => seat !== settings.seat).map((seat) => ({ value: seat, label: seatLabel(seat) })),
            onpick: (seat) => set((s) => void (s.win.from = seat)),
          }),
        );
      }
      if (method.tile === "required" || method.tile === "optional") parts.push(this.winningTile(method));
      if (method.youjin && game.youjin_names.length > 1) {
        parts.push(
          segmented({
            legend: t("youjin_state"),
            name: "youjin",
            value: String(hand.youjin),
            options: game.youjin_names.map((name, level) => ({ value: String(level), label: pick(name) })),
            onpick: (level) => edit((draft) => void (draft.youjin = Number(level))),
          }),
        );
      }
      for (const flag of method.flags) {
        if (flag === "kong") {
          parts.push(
            segmented({
              legend: t("after_kong"),
              name: "kong",
              value: win.kong,
              options: [
                { value: "", label: t("kong_no") },
                { value: "exposed", label: t("kong_exposed") },
                { value: "concealed", label: t("kong_concealed") },
              ],
              onpick: (value) => set((s) => void (s.win.kong = value)),
            }),
          );
        } else {
          parts.push(checkbox({ label: t(`flag_${flag}`), name: flag, checked: Boolean(win.flags[flag]), onpick: (on) => set((s) => void (s.win.flags = { ...s.win.flags, [flag]: on })) }));
        }
      }
    }
    parts.push(this.moreFields(game));
    return parts;
  }

  winningTile(method) {
    const { win, hand, settings } = state;
    const complete = concealedCount(hand) === expected(hand, settings.rules)[1];
    const own = [...new Set([...hand.concealed, ...(hand.drawn ? [hand.drawn] : [])].map((item) => item.tile).filter(Boolean))];
    const code = win.tile ?? hand.drawn?.tile ?? null;
    const choose = (tile) => set((s) => void (s.win.tile = tile));
    const optional = method.tile === "optional" && !complete;
    return h(
      "fieldset",
      { class: "field", "data-field": "tile" },
      h("legend", {}, optional ? t("winning_tile_optional") : t("winning_tile")),
      complete
        ? h("div", { class: "tile-choice" }, own.map((tile) => this.choice(tile, code === tile, () => choose(tile))))
        : h(
            "div",
            { class: "tile-choice" },
            code ? this.choice(code, true, async () => choose((await this.pickCode(t("winning_tile"), code)) ?? code)) : null,
            h("button", { type: "button", class: "button button-quiet", "data-pick-winning": "", onclick: async () => {
              const tile = await this.pickCode(t("winning_tile"), code);
              if (tile) choose(tile);
            } }, code ? t("change") : t("choose_tile")),
            optional && win.tile ? h("button", { type: "button", class: "button button-quiet", onclick: () => choose(null) }, t("no_tile")) : null,
          ),
    );
  }

  choice(code, on, onclick) {
    const { gold } = state.hand;
    const { rules } = state.settings;
    return h("button", { type: "button", class: `tile ${on ? "is-current" : ""}`, value: code, "aria-pressed": on ? "true" : "false", "aria-label": spokenName(code, gold, rules), onclick }, face(code, { gold, rules, alt: "" }));
  }

  /** What most hands do not need: streaks, chips, who sits out, other players' claims. */
  moreFields(game) {
    const { table, seat } = state.settings;
    const change = (patch) => set((s) => void (s.settings.table = { ...s.settings.table, ...patch }));
    const body = [];
    if (game.streaks) {
      body.push(
        h(
          "div",
          { class: "field-pair" },
          number({ label: t("dealer_streak"), name: "dealer_streak", value: table.dealer_streak, max: 50, onpick: (n) => change({ dealer_streak: n ?? 0 }) }),
          number({ label: t("draw_streak"), name: "draw_streak", value: table.draw_streak, max: 50, onpick: (n) => change({ draw_streak: n ?? 0 }) }),
        ),
      );
    }
    if (game.chips) {
      body.push(checkbox({ label: t("count_chips"), name: "chips", checked: Boolean(table.chips), onpick: (on) => change({ chips: on ? Object.fromEntries(SEATS.map((s) => [s, 100])) : null }) }));
      if (table.chips) {
        body.push(h("div", { class: "chips-row" }, SEATS.map((s) => number({ label: s, name: `chips-${s}`, value: table.chips[s], max: 100000, onpick: (n) => change({ chips: { ...table.chips, [s]: n ?? 0 } }) }))));
      }
    }
    body.push(
      h(
        "fieldset",
        { class: "field", "data-field": "sitting_out" },
        h("legend", {}, t("sitting_out"), " ", term("xianggong")),
        h("div", { class: "checks" }, SEATS.filter((s) => s !== seat).map((s) => checkbox({ label: s, name: `out-${s}`, checked: table.sitting_out.includes(s), onpick: (on) => change({ sitting_out: on ? [...table.sitting_out, s].sort() : table.sitting_out.filter((x) => x !== s) }) }))),
      ),
    );
    if (game.claims) {
      body.push(
        h(
          "fieldset",
          { class: "field", "data-field": "claims" },
          h("legend", {}, t("claims_legend"), " ", term("chengbao")),
          h("div", { class: "chips-row" }, SEATS.filter((s) => s !== seat).map((s) => {
            const entry = table.claims.find((claim) => claim.seat === s && claim.from === seat);
            return number({ label: t("claims_of", { seat: s, from: seat }), name: `claims-${s}`, max: 4, value: entry?.count ?? 0, onpick: (n) => change({ claims: [...table.claims.filter((claim) => claim !== entry), { seat: s, from: seat, count: n ?? 0 }] }) });
          })),
        ),
      );
    }
    const node = h("details", { class: "more", open: this.more }, h("summary", {}, t("more_fields")), body);
    node.addEventListener("toggle", () => (this.more = node.open));
    return node;
  }
}
