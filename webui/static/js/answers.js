// What the hand may do now: one sentence on top, then the waits or the options in full.

import { h, renew } from "./dom.js";
import { page, pick, t, tn, whole } from "./i18n.js";
import { price, priceText } from "./money.js";
import { term } from "./glossary.js";
import { seatName } from "./seats.js";
import { settlementDetails } from "./settlement.js";
import { allTiles, concealedCount, expected, following, outOfChips, stage, state } from "./store.js";
import { tile, tiles } from "./tiles.js";

const SPECIAL = ["youjin", "double_youjin", "triple_youjin"];

const SHOWN = 6; // tiles named in the sentence; the panel has them all
const USEFUL = 12; // kinds shown for a hand that is far from ready
const FIRST = 3; // discards of such a hand that are not folded away

/** Tiles inside a sentence, as little pictures. */
function inline(codes) {
  const few = codes.slice(0, SHOWN).map((code) => tile(code, { gold: state.hand.gold, rules: state.settings.rules, class: "tile-inline" }));
  return codes.length > SHOWN ? [...few, "…"] : few;
}

const stateName = (level) => pick(page.rules[state.settings.rules].youjin_names[SPECIAL.indexOf(level) + 1]) || t(`state_${level}`);

const worth = (entry) => price(entry.if_won)?.total ?? 0;
const leftOf = (waits) => (Array.isArray(waits) ? waits.reduce((sum, wait) => sum + wait.left, 0) : 0);

/**
 * The one sentence on top: `{tone, text, more, parts}`. Texts are lists of words and nodes; `tone` is "win", "youjin",
 * "ready", "plain", "ask" or "trouble".
 */
export function sentence() {
  const { hand, settings, answer, error, settlement, settled, win } = state;
  const game = page.rules[settings.rules];
  const empty = allTiles(hand).length === 0;
  const say = (tone, key, values) => ({ tone, text: tn(key, values) });
  if (state.tab === "sheet") {
    const broke = outOfChips();
    if (broke) return say("ask", "course_over", { seat: seatName(broke) });
    if (settings.dealer_open) return say("ask", "dealer_lot");
    const streak = game.streaks ? settings.table.dealer_streak : 0;
    return say("plain", streak ? "next_dealer_again" : "next_dealer", { seat: seatName(settings.dealer), n: streak + 1 });
  }
  if (following()) {
    if (!state.live) return say("plain", "connecting");
    const { status } = state.live;
    if (status.trouble || (empty && status.code !== "reading")) return { tone: status.trouble ? "trouble" : "plain", text: [pick(status)] };
  }
  if (state.tab === "settle" && win.ending !== "win") {
    // The settlement of what the form said a moment ago may still be there.
    const said = settled?.event === win.ending ? settlement : null;
    return said ? { tone: "win", text: [said.lines.map(pick).join(" ")] } : say("ask", win.ending === "false_win" && !win.offender ? "offender" : "event_open");
  }
  const others = following() && empty ? state.tiles.filter((seen) => seen.tile && seen.area !== "gold").length : 0;
  if (others) return say("ask", "lay_hand", { n: others });
  if (state.tab === "settle" && empty) return say("plain", following() ? "lay_winner" : "enter_winner");
  if (empty) return say("plain", following() ? "lay_tiles" : "enter_tiles");
  const [a, b] = expected(hand, settings.rules);
  // Too many tiles are too many whatever the gold is.
  if (concealedCount(hand) > b) return say("ask", "wrong_count", { n: concealedCount(hand), a, b, melds: hand.melds.length });
  if (game.gold === "flipped" && !hand.gold) return say("ask", "which_gold");
  if (stage(hand, settings.rules) === "count") return say("ask", "wrong_count", { n: concealedCount(hand), a, b, melds: hand.melds.length });
  if (state.tab === "settle" && settlement?.valid) {
    return { tone: "win", text: tn("settled_line", { seat: seatName(settled.seat), method: pick(settlement.method_name), price: priceText(settlement) }) };
  }
  if (state.tab === "settle" && !settlement) {
    const missing = !win.seat ? "winner" : !win.by ? "how_won" : null;
    return missing ? say("ask", missing) : say("plain", "event_open");
  }
  if (error) return { tone: "trouble", text: [whole(error)] };
  if (!answer) return say("plain", "thinking");
  return answer.win_now ? afterDraw(answer) : betweenTurns(answer);
}

function afterDraw(answer) {
  const best = answer.discards.filter((entry) => entry.legal && SPECIAL.includes(entry.state)).sort((a, b) => worth(b) - worth(a));
  const special = best.length
    ? tn("can_special", {
        state: stateName(best[0].state),
        tiles: inline(best.filter((entry) => entry.state === best[0].state && worth(entry) === worth(best[0])).map((entry) => entry.tile)),
        price: priceText(best[0].if_won),
      })
    : null;
  if (answer.win_now.legal) {
    const { settlement } = answer.win_now;
    // Nobody gives up a sure win for one that brings no more.
    const bigger = best.length > 0 && worth(best[0]) > (price(settlement)?.total ?? 0);
    return { tone: "win", text: tn("can_win", { method: pick(settlement?.method_name) || t("method_win"), price: priceText(settlement) }), more: bigger ? special : null };
  }
  if (special) return { tone: "youjin", text: special };
  const ready = answer.discards.filter((entry) => entry.legal && entry.state === "ready").sort((a, b) => leftOf(b.waits) - leftOf(a.waits));
  if (ready.length) {
    const [top] = ready;
    return { tone: "ready", text: tn("can_ready", { tile: inline([top.tile]), n: top.waits.length, left: leftOf(top.waits) }) };
  }
  const steps = Math.min(...answer.discards.filter((entry) => entry.legal).map((entry) => entry.shanten ?? Infinity));
  return { tone: "plain", text: Number.isFinite(steps) ? tn("away", { n: steps }) : tn("no_ready") };
}

function betweenTurns(answer) {
  if (answer.waits === "any" || SPECIAL.includes(answer.state)) {
    return { tone: "youjin", text: tn("any_tile_wins", { state: stateName(answer.state), price: priceText(answer.if_won) }) };
  }
  if (answer.state === "ready") {
    return { tone: "ready", text: tn("you_wait", { n: answer.waits.length, left: leftOf(answer.waits), tiles: inline(answer.waits.map((wait) => wait.tile)) }) };
  }
  return { tone: "plain", text: tn("away", { n: answer.shanten ?? 1 }) };
}

export class AnswersView {
  constructor(root) {
    this.root = root;
    this.shown = "";
    this.open = new Set();
  }

  render() {
    const { answer } = state;
    const signature = JSON.stringify([answer, state.hand.gold, state.settings.rules]);
    if (signature === this.shown) return;
    this.shown = signature;
    renew(this.root, answer ? (answer.win_now ? this.options(answer) : this.waitsPanel(answer)) : this.nothing());
  }

  tile(code, extra = {}) {
    return tile(code, { gold: state.hand.gold, rules: state.settings.rules, ...extra });
  }

  nothing() {
    return [h("p", { class: "muted" }, t("answers_empty"))];
  }

  /** Waits as tiles with the copies left and what each is worth; below, why some need the own draw, and how all is counted. */
  waits(waits, key) {
    const reasons = [...new Set(waits.map((wait) => pick(wait.why_not_by_discard)).filter(Boolean))];
    const counted = waits.map((wait) => [wait.tile, wait.self_draw ?? wait.discard]).filter(([, settlement]) => settlement);
    const sections = () => counted.map(([code, settlement]) => h("section", { class: "wait-counted" }, this.tile(code), h("div", {}, settlementDetails(settlement))));
    return [
      h("ul", { class: "waits" }, waits.map((wait) => this.wait(wait))),
      ...reasons.map((why) => h("p", { class: "why-not" }, `${t("self_draw_only")} · `, why)),
      counted.length ? this.details(`waits-${key}`, t("how_counted"), sections) : "",
    ];
  }

  wait(wait) {
    const prices = [];
    if (wait.self_draw) prices.push(h("span", {}, `${t("self_draw_short")} ${priceShort(wait.self_draw)}`));
    if (wait.by_discard && wait.discard) prices.push(h("span", {}, `${t("discard_short")} ${priceShort(wait.discard)}`));
    return h(
      "li",
      { class: wait.left === 0 ? "wait is-dead" : "wait" },
      this.tile(wait.tile),
      h("span", { class: "wait-left" }, t("left_count", { n: wait.left })),
      h("span", { class: "wait-worth" }, prices),
      wait.by_discard ? null : h("span", { class: "tag tag-quiet" }, t("self_draw_only")),
    );
  }

  waitsPanel(answer) {
    const parts = [];
    if (answer.waits === "any") {
      parts.push(h("div", { class: "card-note tone-youjin" }, h("strong", {}, t("any_tile")), " ", priceText(answer.if_won)));
      if (answer.if_won) parts.push(this.details("any", t("how_counted"), () => settlementDetails(answer.if_won)));
    } else if (answer.state === "ready") {
      parts.push(h("h3", {}, t("waits_title"), " ", term("ting")), ...this.waits(answer.waits, "hand"));
    } else {
      parts.push(h("h3", {}, t("useful_title")), this.useful(answer));
    }
    return parts;
  }

  useful(entry) {
    const useful = entry.useful ?? [];
    if (!useful.length) return h("p", { class: "muted" }, t("no_useful"));
    const more = useful.length - USEFUL;
    return h(
      "div",
      {},
      h("p", { class: "muted" }, t("waits_left", { n: useful.length, left: leftOf(useful) })),
      h("div", { class: "tile-row useful" }, useful.slice(0, USEFUL).map((item) => h("span", { class: "useful-one" }, this.tile(item.tile), h("small", {}, `×${item.left}`))), more > 0 ? h("span", { class: "useful-more" }, `+${more}`) : null),
    );
  }

  options(answer) {
    const parts = [];
    const win = answer.win_now;
    if (win.legal) {
      parts.push(
        h(
          "section",
          { class: "win-card" },
          h("div", { class: "win-head" }, h("h3", {}, t("win_now")), h("strong", { class: "win-price" }, priceText(win.settlement))),
          h("p", {}, pick(win.settlement?.method_name)),
          ...(answer.advice ?? []).filter((advice) => advice.win).map((advice) => adviceLine({ ...advice, best: advice === answer.advice[0] })),
          win.settlement ? this.details("win", t("how_counted"), () => settlementDetails(win.settlement)) : null,
          h("button", { type: "button", class: "button button-gold", "data-settle": "", onclick: () => this.root.dispatchEvent(new CustomEvent("settle", { bubbles: true })) }, t("settle_this")),
        ),
      );
    } else if (win.why) {
      parts.push(h("p", { class: "muted" }, t("no_win_now", { why: pick(win.why) })));
    }
    // Every advised move says why; the best one alone is recommended.
    const [best] = answer.advice ?? [];
    const advised = new Map((answer.advice ?? []).filter((advice) => !advice.win).map((advice) => [advice.tile, { ...advice, best: advice === best }]));
    const groups = [
      ["special", answer.discards.filter((entry) => SPECIAL.includes(entry.state))],
      ["ready", answer.discards.filter((entry) => entry.state === "ready")],
      ["rest", answer.discards.filter((entry) => entry.state === "not_ready" || !(SPECIAL.includes(entry.state) || entry.state === "ready"))],
    ];
    for (const [group, entries] of groups) {
      if (!entries.length) continue;
      const sorted = entries.slice().sort((a, b) => Number(b.legal) - Number(a.legal) || worth(b) - worth(a) || leftOf(b.waits) - leftOf(a.waits) || (a.shanten ?? 9) - (b.shanten ?? 9));
      const list = (shown) => h("ul", { class: "discards" }, alike(shown, advised).map((alikes) => this.discard(alikes, advised.get(alikes[0].tile))));
      const folded = (shown) => this.details("rest", t("other_discards", { n: shown.length }), () => [list(shown)]);
      if (group !== "rest") {
        parts.push(h("h3", { class: "group-title" }, t(`discards_${group}`), group === "special" ? [" ", term("youjin")] : ""), list(sorted));
      } else if (groups.some(([other, items]) => other !== "rest" && items.length)) {
        parts.push(folded(sorted));
      } else {
        const rank = (entry) => (advised.get(entry.tile)?.best ? 0 : advised.has(entry.tile) ? 1 : 2);
        sorted.sort((x, y) => rank(x) - rank(y));
        parts.push(h("h3", { class: "group-title" }, t("discards_first")), list(sorted.slice(0, FIRST)));
        if (sorted.length > FIRST) parts.push(folded(sorted.slice(FIRST)));
      }
    }
    if (answer.kongs?.length) {
      parts.push(h("h3", { class: "group-title" }, t("kongs_title"), " ", term("kong")), h("div", { class: "kongs" }, answer.kongs.map((text) => tiles(text, { gold: state.hand.gold, rules: state.settings.rules }))));
    }
    return parts;
  }

  /** One card: a discard, or several that lead to the same. */
  discard(entries, advice) {
    const [entry] = entries;
    const special = SPECIAL.includes(entry.state);
    const label = special ? stateName(entry.state) : t(`state_${entry.state}`);
    const body = [h("div", { class: "discard-line" }, h("span", { class: `tag tag-${special ? "gold" : entry.state}` }, label), special && entry.if_won ? h("strong", {}, priceText(entry.if_won)) : null)];
    if (!entry.legal && entry.why) body.push(h("p", { class: "why" }, pick(entry.why)));
    if (special && entry.legal) body.push(h("p", { class: "muted" }, t("any_tile")));
    if (special && entry.if_won) body.push(this.details(`if-${entry.tile}-${entry.state}`, t("how_counted"), () => settlementDetails(entry.if_won)));
    if (entry.state === "ready" && Array.isArray(entry.waits)) {
      body.push(h("p", { class: "muted" }, t("waits_left", { n: entry.waits.length, left: leftOf(entry.waits) })), ...this.waits(entry.waits, entry.tile));
    }
    if (entry.state === "not_ready") {
      body.push(h("p", { class: "muted" }, t("away", { n: entry.shanten ?? 1 })));
      if (entry.useful?.length) body.push(this.useful(entry));
    }
    if (advice) body.push(adviceLine(advice));
    return h("li", { class: `discard ${entry.legal ? "" : "is-refused"} ${advice?.best ? "is-advised" : ""}`, "data-tile": entries.map((other) => other.tile).join(" "), "data-state": entry.state }, h("div", { class: "discard-tiles" }, entries.map((other) => this.tile(other.tile, { class: "discard-tile" }))), h("div", { class: "discard-body" }, body));
  }

  /** A folded part that stays open while answers change; what is in it is made when it is first opened. */
  details(key, title, build) {
    const node = h("details", {}, h("summary", {}, title));
    let built = false;
    const fill = () => {
      if (built) return;
      built = true;
      node.append(...build());
    };
    node.addEventListener("toggle", () => {
      if (node.open) fill();
      node.open ? this.open.add(key) : this.open.delete(key);
    });
    if (this.open.has(key)) {
      fill();
      node.open = true;
    }
    return node;
  }
}

/** Why a move is worth a thought; the best one is what the page recommends. */
function adviceLine(advice) {
  return h("p", { class: `advice ${advice.best ? "is-best" : ""}` }, advice.best ? [h("strong", {}, t("advised")), " "] : null, pick(advice.why));
}

/** Discards next to each other that differ in nothing but the tile. */
function alike(entries, advised) {
  const groups = new Map();
  for (const entry of entries) {
    const { tile: _, ...rest } = entry;
    const key = JSON.stringify([SPECIAL.includes(entry.state) ? [rest.state, rest.legal, rest.why, priceText(rest.if_won), rest.waits] : entry.tile, pick(advised.get(entry.tile)?.why)]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}

function priceShort(settlement) {
  const worthOf = price(settlement);
  if (!worthOf?.each) return "–";
  return worthOf.bonus ? `${worthOf.each.text}+${worthOf.bonus.text}` : worthOf.each.text;
}
