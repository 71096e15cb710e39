// Somebody discards: may I take it?

import { h, renew } from "./dom.js";
import { pick, t, whole } from "./i18n.js";
import { segmented } from "./fields.js";
import { priceText } from "./money.js";
import { SEATS, seatName } from "./seats.js";
import { following, set, stage, state, toRecord } from "./store.js";
import { face, spokenName, tiles } from "./tiles.js";

export class ClaimsPanel {
  /** @param pickCode opens the picker and answers a code or null */
  constructor(root, pickCode) {
    this.root = root;
    this.body = root.querySelector("[data-claims-body]");
    this.pickCode = pickCode;
    this.shown = "";
  }

  /** The hand record with the tile that is offered, `null` while no tile is named. */
  record() {
    const { offer } = state;
    if (!offer.tile) return null;
    const hand = following() ? state.live?.record : toRecord();
    return hand ? { ...hand, offered: { tile: offer.tile, from: this.from() } } : null;
  }

  /** Who discards: the player before, until somebody else is named. */
  from() {
    const { seat } = state.settings;
    const before = SEATS[(SEATS.indexOf(seat) + 3) % 4];
    return state.offer.from && state.offer.from !== seat ? state.offer.from : before;
  }

  render() {
    const { hand, settings, offer, claims, claimsError } = state;
    this.root.hidden = stage(hand, settings.rules) !== "between" || !state.answer;
    const signature = JSON.stringify([offer, claims, claimsError, settings.seat, settings.rules, hand.gold, state.scores?.players]);
    if (signature === this.shown) return;
    this.shown = signature;
    const put = (patch) => set((s) => void (s.offer = { ...s.offer, ...patch }));
    const choose = async () => {
      const tile = await this.pickCode(t("offered_tile"), offer.tile);
      if (tile) put({ tile });
    };
    const options = { gold: hand.gold, rules: settings.rules };
    renew(this.body, [
      h(
        "div",
        { class: "field" },
        h("span", { class: "legend" }, t("offered_tile")),
        h(
          "div",
          { class: "tile-choice" },
          offer.tile ? h("button", { type: "button", class: "tile", "aria-label": spokenName(offer.tile, hand.gold, settings.rules), onclick: choose }, face(offer.tile, { ...options, alt: "" })) : null,
          h("button", { type: "button", class: "button", "data-offer": "", onclick: choose }, offer.tile ? t("change") : t("choose_tile")),
        ),
      ),
      segmented({ legend: t("discarded_by"), name: "offer-from", value: this.from(), options: SEATS.filter((seat) => seat !== settings.seat).map((seat) => ({ value: seat, label: seatName(seat) })), onpick: (from) => put({ from }) }),
      ...(claimsError ? [h("p", { class: "why", role: "status" }, whole(claimsError))] : []),
      ...(claims ? [this.verdicts(claims, options)] : []),
    ]);
  }

  verdicts(claims, options) {
    const line = (label, verdict, more = null) =>
      h(
        "li",
        { class: `verdict ${verdict.legal ? "is-legal" : ""}` },
        h("strong", {}, label),
        h("span", {}, verdict.legal ? [t("claim_yes"), more] : [pick(verdict.why) || t("claim_no")]),
      );
    return h(
      "ul",
      { class: "verdicts", "aria-live": "polite" },
      line(t("method_win"), claims.win, claims.win.settlement ? ` · ${priceText(claims.win.settlement)}` : null),
      line(t("claim_kong"), claims.kong),
      line(t("meld_pong"), claims.pong),
      claims.chow.some((chow) => chow.legal)
        ? claims.chow.filter((chow) => chow.legal).map((chow) => line(t("meld_chow"), chow, [" ", tiles(chow.with, options), chow.may_not_discard?.length ? h("small", {}, ` ${t("may_not_discard")} `, tiles(chow.may_not_discard.join(""), options)) : ""]))
        : line(t("meld_chow"), { legal: false, why: claims.chow[0]?.why }),
    );
  }
}
