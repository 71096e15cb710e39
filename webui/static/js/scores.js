// The score sheet: booking what a person confirms, running totals, taking the last one back.

import { ApiFailure, get, post, put } from "./api.js";
import { $, h } from "./dom.js";
import { lang, page, pick, t, whole } from "./i18n.js";
import { goldInDoubt } from "./editing.js";
import { agree } from "./live.js";
import { SEATS, seatName } from "./seats.js";
import { signed, settlementDetails } from "./settlement.js";
import * as store from "./store.js";
import { say, fail } from "./toast.js";

const { state, update } = store;
const LOOK_MS = 8000; // another phone may book too
const TOKEN_KEY = "youjin.booking.v1";

// --- asking the server ------------------------------------------------------------------------------------------------

let changes = 0; // what was asked for before one of them may be old when it comes

const mark = ({ sheet, revision }) => `${sheet}/${revision}`;
const holding = (scores) => scores.entries.filter((entry) => !entry.undone);

/** Go on as another page left the table; the program behind a camera knows it already. */
function follow({ deal }, entry) {
  store.deal(entry.next || entry.undone ? deal : null, deal?.chips ?? state.settings.table.chips);
  agree();
  store.set(() => {});
}

/** Take over the present sheet. What another page did to it decides who deals next here, too. */
function take(scores) {
  // The question whether it is the same hand is over once that one was taken back.
  const asked = holding(scores).some((one) => one.entry === state.elsewhere?.entry);
  update({ scores, scoresError: null, ...(scores.current && !asked ? { elsewhere: null } : {}) });
  if (!scores.current || mark(scores) === state.followed) return;
  const sent = waiting();
  const entry = holding(scores).find((one) => one.token === sent?.token);
  if (entry) {
    booked(scores, entry); // the answer to it was lost on the way
    return;
  }
  const first = state.followed === null;
  const touched = (one) => one.undone ?? one.made;
  const newest = scores.entries.toSorted((a, b) => (touched(a) < touched(b) ? -1 : Number(touched(a) > touched(b)))).at(-1);
  if (!first && newest && !newest.undone && store.toWinRecord()) {
    update({ elsewhere: newest, followed: mark(scores) });
    return;
  }
  update({ followed: mark(scores) });
  if (!newest || (first && page.source)) return;
  follow(scores, newest);
  if (!first) say(newest.undone ? t("taken_back_elsewhere") : t("booked_elsewhere", { what: describe(newest), time: clock.format(new Date(newest.made)) }));
}

/** Get the present sheet, or an earlier one; a server that cannot be reached is told elsewhere. */
export async function load(number = null) {
  const before = changes;
  try {
    const scores = await get(number ? `/api/scores?sheet=${number}` : "/api/scores");
    if (changes === before) take(scores);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    if (failure.status) update({ scoresError: failure.error });
  }
}

const looking = () => document.visibilityState === "visible" && state.tab !== "move" && state.scores?.current !== false;
setInterval(() => looking() && load(), LOOK_MS);
document.addEventListener("visibilitychange", () => looking() && load());

/** What was sent to be booked and is not known to have arrived: `{text, mark, token}`. */
function waiting() {
  try {
    return JSON.parse(sessionStorage.getItem(TOKEN_KEY) ?? "null");
  } catch {
    return null; // private windows refuse to keep it; a page that is reloaded in between asks anew
  }
}

/** A name for this confirmation: the same when it has to be sent again, even after a reload, until the sheet has changed. */
function tokenFor(text, at) {
  const kept = waiting();
  if (kept?.text === text && kept.mark === at) return kept.token;
  const token = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    sessionStorage.setItem(TOKEN_KEY, JSON.stringify({ text, mark: at, token }));
  } catch {
    // as above
  }
  return token;
}

function forgetToken() {
  try {
    sessionStorage.removeItem(TOKEN_KEY);
  } catch {
    // as above
  }
}

/** The button that was pressed is gone: whoever uses a keyboard goes on at the part of the page that is shown now. */
function focusTab() {
  requestAnimationFrame(() => {
    $(`#tab-${state.tab}`).focus({ preventScroll: true });
    $("#panel").scrollIntoView({ block: "start" });
  });
}

/** Write down the settlement that is shown. */
async function book() {
  if (store.stale() || state.elsewhere) return;
  changes += 1;
  const { settled: record, scores: sheet } = state;
  const token = tokenFor(JSON.stringify(record), mark(sheet));
  update({ booking: true });
  try {
    const scores = await post("/api/scores/book", { record, token, revision: sheet.revision });
    booked(scores, scores.entries.find((entry) => entry.token === token));
  } catch (failure) {
    update({ booking: false });
    if (failure.error?.code === "sheet_changed") await load();
    fail(failure);
  }
}

/** What this page sent is on the sheet. */
function booked(scores, entry) {
  forgetToken();
  update({ scores, booking: false, followed: mark(scores), tab: entry.next ? "sheet" : state.tab });
  store.nextHand(Boolean(entry.next), scores.deal, entry.answer.payments);
  say(t("booked", { what: describe(entry) }), { undo: () => takeBack(entry.entry) });
  focusTab();
}

/** Take back the last confirmation, and open it for correcting. */
async function takeBack(number) {
  changes += 1;
  try {
    const scores = await post("/api/scores/undo", { entry: number });
    forgetToken();
    update({ scores, followed: mark(scores), elsewhere: null, tab: "settle" });
    store.fromRecord(scores.entries.find((one) => one.entry === number).record);
    say(t("taken_back"));
    focusTab();
  } catch (failure) {
    if (failure.error?.code === "sheet_changed") await load();
    fail(failure);
  }
}

/** Another page has booked the very hand that is shown here, or another one. */
function answerElsewhere(same) {
  const { elsewhere, scores } = state;
  if (same) {
    if (elsewhere.next) state.tab = "sheet";
    store.nextHand(Boolean(elsewhere.next), null);
    follow(scores, elsewhere);
    focusTab();
  } else {
    update({ elsewhere: null });
    follow(scores, elsewhere);
  }
}

async function change(promise) {
  changes += 1;
  try {
    const scores = await promise;
    update({ scores, followed: mark(scores) });
  } catch (failure) {
    fail(failure);
  }
}

// --- confirming -------------------------------------------------------------------------------------------------------

/** Why the settlement cannot be booked yet, as the key of a text; `null` when it can. */
function obstacle() {
  const { hand, settings, scores } = state;
  if (store.allTiles(hand).some(store.inDoubt) || goldInDoubt()) return "confirm_doubt";
  if (settings.dealer_open) return "confirm_dealer";
  if (state.scoresError) return null;
  return scores?.current ? null : "confirm_no_sheet";
}

export class ConfirmView {
  constructor(root) {
    this.root = root;
    this.shown = "";
  }

  render() {
    const { settlement, settled, booking, scoresError, elsewhere } = state;
    const ready = Boolean(settled && settlement && settlement.valid !== false);
    const stale = ready && store.stale();
    this.root.hidden = !ready;
    const why = ready ? obstacle() : null;
    const signature = JSON.stringify([ready, why, booking, scoresError, stale, elsewhere]);
    if (signature === this.shown) return;
    this.shown = signature;
    if (!ready) {
      this.root.replaceChildren();
      return;
    }
    if (elsewhere) {
      this.root.replaceChildren(this.twice(elsewhere));
      return;
    }
    this.root.replaceChildren(
      scoresError ? h("p", { class: "card-note tone-trouble", role: "alert" }, whole(scoresError)) : "",
      h("button", { type: "button", class: "button button-gold button-large", "data-confirm": "", disabled: Boolean(why) || booking || stale || Boolean(scoresError), "aria-describedby": "confirm-note", onclick: book }, booking ? t("booking") : t("confirm")),
      h("p", { class: why ? "hint is-asked" : "hint", id: "confirm-note" }, why ? t(why) : t("confirm_note")),
    );
  }

  /** A hand must not be booked by two phones: whoever comes second is asked. */
  twice(entry) {
    const button = (name, same) => h("button", { type: "button", class: "button", [`data-${name}`]: "", onclick: () => answerElsewhere(same) }, t(name));
    return h(
      "div",
      { class: "card-note tone-ask", role: "alert" },
      h("p", {}, t("booked_elsewhere", { what: describe(entry), time: clock.format(new Date(entry.made)) })),
      h("div", { class: "sheet-tools" }, button("same_hand", true), button("another_hand", false)),
    );
  }
}

// --- the sheet --------------------------------------------------------------------------------------------------------

/** Who won how, or what happened. */
function describe({ record, what }) {
  if (record.win) return t("entry_win", { seat: seatName(record.seat), what: pick(what) });
  if (record.event === "false_win") return t("entry_false_win", { seat: seatName(record.seat) });
  return pick(what);
}

const locale = { zh: "zh-Hans", zh_hant: "zh-Hant", en: "en-GB" }[lang];
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const calendar = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

export class SheetView {
  constructor(root) {
    this.root = root;
    this.shown = "";
    this.open = new Set();
    this.naming = false;
    [this.top, this.middle, this.bottom] = ["top", "names", "hands"].map((part) => h("div", { class: `sheet-${part}` }));
    root.replaceChildren(this.top, this.middle, this.bottom);
  }

  render() {
    const { scores, scoresError } = state;
    const signature = JSON.stringify([scores, scoresError, state.settings.dealer, state.settings.dealer_open, store.outOfChips()]);
    if (signature === this.shown) return;
    this.shown = signature;
    const note = scoresError ? h("p", { class: "card-note tone-trouble" }, whole(scoresError)) : scores ? "" : h("p", { class: "muted" }, t("thinking"));
    this.top.replaceChildren(note, scores ? this.totals(scores) : "");
    this.bottom.replaceChildren(...(scores ? this.hands(scores) : []));
    // Names are left alone while somebody is typing them.
    if (!this.middle.contains(document.activeElement)) this.middle.replaceChildren(scores?.current ? this.names(scores) : "");
  }

  totals(scores) {
    const outside = scores.entries.some((entry) => !entry.undone && Object.values(entry.answer.bonus).some(Boolean));
    return h(
      "div",
      { class: "payments totals", role: "group", "aria-label": t("totals") },
      SEATS.map((seat) =>
        h(
          "div",
          { class: `seat-card ${scores.totals[seat] > 0 ? "gains" : scores.totals[seat] < 0 ? "pays" : ""}`, "data-total": seat },
          h("span", { class: "seat-name" }, seatName(seat), scores.current && seat === state.settings.dealer && !state.settings.dealer_open ? h("span", { class: "tag tag-dealer" }, t("dealer_mark")) : null),
          h("strong", { class: "seat-amount" }, signed(scores.totals[seat])),
          outside ? h("span", { class: "seat-bonus" }, t("bonus_line", { n: signed(scores.outside[seat]) })) : null,
        ),
      ),
    );
  }

  hands(scores) {
    const last = scores.entries.findLast((entry) => !entry.undone);
    return [
      scores.entries.length ? this.table(scores) : h("p", { class: "muted" }, t("sheet_empty")),
      h(
        "div",
        { class: "sheet-tools" },
        last && scores.current ? h("button", { type: "button", class: "button", "data-take-back": "", onclick: () => takeBack(last.entry) }, t("take_back")) : null,
        scores.entries.length ? h("a", { class: "button", href: `/scores.csv?sheet=${scores.sheet}`, download: "" }, t("save_csv")) : null,
        scores.current && scores.entries.length ? h("button", { type: "button", class: "button", "data-new-sheet": "", onclick: () => change(post("/api/scores/begin", {})) }, t("new_sheet")) : null,
        scores.current && store.outOfChips() ? h("button", { type: "button", class: "button button-primary", "data-new-course": "", onclick: () => store.set((s) => void (s.settings.table = { ...s.settings.table, chips: store.courseChips() })) }, t("new_course")) : null,
        scores.current ? null : h("button", { type: "button", class: "button button-primary", onclick: () => load() }, t("present_sheet")),
      ),
      ...(scores.sheets.length > 1 ? [this.earlier(scores)] : []),
    ];
  }

  names(scores) {
    const keep = ({ target }) => change(put("/api/scores/players", { players: { [target.dataset.name]: target.value } }));
    const inputs = SEATS.map((seat) => h("input", { type: "text", maxlength: 24, value: scores.players[seat] ?? "", autocomplete: "off", "data-name": seat, onchange: keep }));
    const node = h(
      "details",
      { class: "names", open: this.naming },
      h("summary", {}, t("players")),
      h("div", { class: "names-row" }, inputs.map((input) => h("label", { class: "field text-field" }, h("span", {}, input.dataset.name), input))),
    );
    node.addEventListener("toggle", () => (this.naming = node.open));
    return node;
  }

  table(scores) {
    let number = 0;
    const rows = scores.entries.map((entry) => ({ entry, number: entry.undone ? null : (number += 1) })).reverse();
    return h(
      "ol",
      { class: "hands" },
      rows.map(({ entry, number: n }) => {
        const node = h(
          "details",
          { open: this.open.has(entry.entry) },
          h(
            "summary",
            {},
            h("span", { class: "hand-number" }, n ?? "–"),
            h("span", { class: "hand-what" }, h("span", { class: "hand-name" }, describe(entry)), entry.undone ? h("span", { class: "tag" }, t("undone_mark")) : null, h("small", {}, `${page.rules[entry.record.rules] ? pick(page.rules[entry.record.rules].name) : ""} · ${clock.format(new Date(entry.made))}`)),
            h("span", { class: "hand-amounts" }, SEATS.map((seat) => this.amount(entry, seat))),
          ),
          settlementDetails(entry.answer, { gold: entry.record.gold ?? null, rules: entry.record.rules }),
        );
        node.addEventListener("toggle", () => (node.open ? this.open.add(entry.entry) : this.open.delete(entry.entry)));
        return h("li", { class: `hand-line ${entry.undone ? "is-undone" : ""}`, "data-entry": entry.entry }, node);
      }),
    );
  }

  amount(entry, seat) {
    const paid = entry.answer.payments[seat];
    const bonus = entry.answer.bonus[seat];
    return h(
      "span",
      { class: paid + bonus > 0 ? "gains" : paid + bonus < 0 ? "pays" : "" },
      h("span", { class: "amount-seat", "aria-hidden": "true" }, seat),
      h("span", { class: "visually-hidden" }, `${seatName(seat)}: `),
      h("span", { class: "amount" }, signed(paid)),
      bonus ? h("small", {}, t("bonus_line", { n: signed(bonus) })) : null,
    );
  }

  earlier(scores) {
    return h(
      "label",
      { class: "field select-field" },
      h("span", {}, t("all_sheets")),
      h(
        "select",
        { onchange: (event) => load(Number(event.target.value)) },
        scores.sheets.map((one, index) => h("option", { value: one.sheet, selected: one.sheet === scores.sheet }, [`${one.sheet} · ${calendar.format(new Date(one.started))}`, index ? "" : ` ${t("present_mark")}`, Object.values(one.players).length ? ` · ${Object.values(one.players).join(", ")}` : ""].join(""))),
      ),
    );
  }
}
