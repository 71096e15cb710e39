// The settlement form of a finished hand. It shows only what this game and this way of winning need.

import { h, renew } from "./dom.js";
import { page, pick, t } from "./i18n.js";
import { checkbox, number, segmented } from "./fields.js";
import { term } from "./glossary.js";
import { SEATS, seatName } from "./seats.js";
import { concealedCount, courseChips, edit, expected, newWin, set, state } from "./store.js";
import { face, spokenName } from "./tiles.js";

const seatLabel = (seat) => [seatName(seat), seat === state.settings.dealer && !state.settings.dealer_open ? ` ${t("dealer_mark")}` : ""].join("");

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
    const signature = JSON.stringify([win, settings, hand.youjin, hand.drawn?.tile, hand.concealed.map((item) => item.tile), hand.gold, hand.melds.length, state.scores?.players]);
    if (signature === this.shown) return;
    this.shown = signature;
    renew(this.root, this.build());
  }

  build() {
    const { settings, win } = state;
    const game = page.rules[settings.rules];
    const parts = [];
    if (Object.keys(game.events).length) {
      parts.push(
        segmented({
          legend: t("how_ended"),
          name: "ending",
          value: win.ending,
          options: [{ value: "win", label: t("ending_win") }, ...Object.entries(game.events).map(([event, name]) => ({ value: event, label: pick(name) }))],
          onpick: (ending) => set((s) => void (s.win = { ...newWin(), ending, seat: s.win.seat, by: s.win.by, tile: s.win.tile, from: s.win.from })),
        }),
      );
    }
    if (win.ending === "win") parts.push(...this.won(game));
    else if (win.ending === "false_win") parts.push(...this.falseWin(game));
    else if (win.ending === "follow") parts.push(number({ label: t("follow_count"), name: "count", value: win.count, min: 1, max: 20, onpick: (n) => set((s) => void (s.win.count = n ?? 1)) }));
    parts.push(this.dealer(), this.moreFields(game));
    return parts;
  }

  /** Nobody can see who deals: it follows from the hand before, or is drawn by lot. */
  dealer() {
    const { settings } = state;
    return segmented({
      legend: settings.dealer_open ? t("dealer_lot") : t("dealer"),
      name: "dealer",
      value: settings.dealer_open ? null : settings.dealer,
      options: SEATS.map((seat) => ({ value: seat, label: seatName(seat) })),
      onpick: (seat) => set((s) => void Object.assign(s.settings, { dealer: seat, dealer_open: false })),
    });
  }

  won(game) {
    const { win, hand } = state;
    const method = game.methods[win.by];
    const parts = [
      segmented({
        legend: t("winner"),
        name: "seat",
        value: win.seat,
        options: SEATS.map((seat) => ({ value: seat, label: seatLabel(seat) })),
        onpick: (seat) =>
          set((s) => {
            s.win.seat = seat;
            if (s.win.from === seat) s.win.from = null;
          }),
      }),
      segmented({
        legend: t("how_won"),
        name: "by",
        value: win.by,
        options: Object.entries(game.methods).map(([by, entry]) => ({ value: by, label: pick(entry.name) })),
        onpick: (by) => set((s) => void (s.win = { ...newWin(), by, seat: s.win.seat, tile: s.win.tile, from: s.win.from })),
      }),
    ];
    if (!method || !win.seat) return [...parts, h("p", { class: "hint" }, t("choose_method"))];
    if (method.from) {
      parts.push(
        segmented({
          legend: t(win.by === "rob_kong" ? "robbed_from" : "discarded_by"),
          name: "from",
          value: win.from,
          options: SEATS.filter((seat) => seat !== win.seat).map((seat) => ({ value: seat, label: seatLabel(seat) })),
          onpick: (seat) => set((s) => void (s.win.from = seat)),
        }),
      );
    }
    if (method.tile === "required" || method.tile === "optional") parts.push(this.winningTile(method));
    if (method.youjin && game.youjin_names.length > 1) parts.push(this.level(game, hand.youjin, 0));
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
    return parts;
  }

  level(game, value, least) {
    return segmented({
      legend: t("youjin_state"),
      name: "youjin",
      value: String(value),
      options: game.youjin_names.map((name, level) => ({ value: String(level), label: pick(name) })).slice(least),
      onpick: (level) => edit((draft) => void (draft.youjin = Number(level))),
    });
  }

  /** 詐胡: who, and whether somebody else was in 游金, whose hand is then the one on the table. */
  falseWin(game) {
    const { win, hand } = state;
    const parts = [
      segmented({
        legend: t("offender"),
        name: "offender",
        value: win.offender,
        options: SEATS.map((seat) => ({ value: seat, label: seatLabel(seat) })),
        onpick: (seat) =>
          set((s) => {
            s.win.offender = seat;
            if (s.win.wronged === seat) s.win.wronged = null;
          }),
      }),
    ];
    if (!win.offender) return parts;
    parts.push(
      segmented({
        legend: t("wronged"),
        name: "wronged",
        value: win.wronged ?? "",
        options: [{ value: "", label: t("nobody") }, ...SEATS.filter((seat) => seat !== win.offender).map((seat) => ({ value: seat, label: seatLabel(seat) }))],
        onpick: (seat) =>
          set((s) => {
            s.win.wronged = seat || null;
            if (seat && !s.hand.youjin) s.hand.youjin = 1;
          }),
      }),
    );
    if (win.wronged) parts.push(this.level(game, hand.youjin, 1), h("p", { class: "hint" }, t("wronged_hand", { seat: seatName(win.wronged) })));
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
    const { table } = state.settings;
    const { seat } = state.win;
    const change = (edit) => set((s) => void (s.settings.table = { ...s.settings.table, ...edit(s.settings.table) }));
    const body = [];
    if (game.streaks) {
      body.push(
        h(
          "div",
          { class: "field-pair" },
          number({ label: t("dealer_streak"), name: "dealer_streak", value: table.dealer_streak, max: page.most_streak, onpick: (n) => change(() => ({ dealer_streak: n ?? 0 })) }),
          number({ label: t("draw_streak"), name: "draw_streak", value: table.draw_streak, max: page.most_streak, onpick: (n) => change(() => ({ draw_streak: n ?? 0 })) }),
        ),
      );
    }
    if (game.chips) {
      body.push(checkbox({ label: t("count_chips"), name: "chips", checked: Boolean(table.chips), onpick: (on) => change(() => ({ chips: on ? courseChips() : null })) }));
      if (table.chips) {
        body.push(h("div", { class: "chips-row" }, SEATS.map((s) => number({ label: seatName(s), name: `chips-${s}`, value: table.chips[s], max: 100000, onpick: (n) => change(({ chips }) => ({ chips: { ...chips, [s]: n ?? 0 } })) }))));
      }
    }
    body.push(
      h(
        "fieldset",
        { class: "field", "data-field": "sitting_out" },
        h("legend", {}, t("sitting_out"), " ", term("xianggong")),
        h("div", { class: "checks" }, SEATS.filter((s) => s !== seat).map((s) => checkbox({ label: seatName(s), name: `out-${s}`, checked: table.sitting_out.includes(s), onpick: (on) => change(({ sitting_out: out }) => ({ sitting_out: on ? [...out, s].sort() : out.filter((x) => x !== s) })) }))),
      ),
    );
    if (game.claims && seat) {
      body.push(
        h(
          "fieldset",
          { class: "field", "data-field": "claims" },
          h("legend", {}, t("claims_legend"), " ", term("chengbao")),
          h("div", { class: "chips-row" }, SEATS.filter((s) => s !== seat).map((s) => {
            const of = (claim) => claim.seat === s && claim.from === seat;
            return number({ label: t("claims_of", { seat: seatName(s), from: seatName(seat) }), name: `claims-${s}`, max: 4, value: table.claims.find(of)?.count ?? 0, onpick: (n) => change(({ claims }) => ({ claims: [...claims.filter((claim) => !of(claim)), { seat: s, from: seat, count: n ?? 0 }] })) });
          })),
        ),
      );
    }
    const node = h("details", { class: "more", open: this.more }, h("summary", {}, t("more_fields")), body);
    node.addEventListener("toggle", () => (this.more = node.open));
    return node;
  }
}
