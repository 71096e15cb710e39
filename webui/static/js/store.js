// What the page knows, in one place: the hand, where it came from, the settings, and how to undo.
//
// A hand comes from the live camera, from a photo, or from the keyboard. Any edit but a simple correction turns what the
// camera shows into a draft of our own ("held"), so that the camera never overwrites what a person typed. Drafts and the
// form are kept in localStorage until they are replaced; nothing a person entered is lost by a reload or an error.

import { page } from "./i18n.js";
import { format, isFlower, order, parse } from "./tiles.js";

const KEY = "youjin.draft.v1";
const UNDO_STEPS = 50;

export const emptyHand = () => ({ gold: null, concealed: [], drawn: null, melds: [], flowers: [], visible: [], youjin: 0 });
/** How the hand ended, as far as the picture cannot show it: nothing is taken for granted. */
const emptyWin = () => ({ ending: "win", seat: null, by: null, tile: null, from: null, flags: {}, kong: "", offender: null, wronged: null, count: 1 });
const emptyTable = () => ({ dealer_streak: 0, draw_streak: 0, tiles_left: null, chips: null, sitting_out: [], claims: [] });

export const state = {
  mode: page.source ? "live" : "manual",
  held: false,
  live: null,
  connection: page.source ? "connecting" : "ok",
  hand: emptyHand(),
  tiles: [],
  problems: [],
  picture: null,
  settings: { rules: page.default_rules, seat: "A", dealer: "A", dealer_open: false, house: page.house ?? {}, table: emptyTable() },
  win: emptyWin(),
  offer: { tile: null, from: null },
  claims: null,
  claimsError: null,
  answer: null,
  error: null,
  busy: false,
  settlement: null,
  settlementError: null,
  settled: null, // the record that the settlement belongs to
  question: "", // what was asked last: the answers shown, or on their way, belong to it
  scores: null,
  followed: null, // the state of the sheet from which dealer and streaks were taken over
  elsewhere: null, // what another page booked while a settlement is shown here
  booking: false,
  consent: undefined, // whether corrected pictures may be kept; null: nobody was asked yet
  corrected: false, // something was put right on a picture since the page was opened
  touched: false, // on the picture of this draft
  edited: false, // the draft is not what the picture shows any more
  unsent: false, // that picture is still to be kept, if its owner agreed
  tab: "move",
};

/** The answers are gone, and the same question is a new one. */
const unanswered = { answer: null, error: null, question: "" };

export const TABS = ["move", "settle", "sheet"];

const listeners = new Set();
let scheduled = false;

export function subscribe(listener) {
  listeners.add(listener);
}

/** Merge `patch` into the state and tell everybody, once per frame. */
export function update(patch = {}) {
  Object.assign(state, patch);
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const listener of listeners) listener(state);
  });
}

/** Is the camera's hand shown as it comes? */
export const following = () => state.mode === "live" && !state.held;

// --- the draft, its history, and what survives a reload ---------------------------------------------------------------

const history = [];

const draft = () => ({ mode: state.mode, held: state.held, hand: structuredClone(state.hand) });

/** The picture a draft was made from and what was seen on it; after a reload `keep.js` brings the picture back. */
const shown = () => ({ picture: state.picture, tiles: structuredClone(state.tiles), problems: state.problems, edited: state.edited });
const before = () => ({ ...draft(), ...(following() ? {} : shown()) });
/** Where the form is emptied as well; who deals and how often is nobody's draft, and no undo touches it. */
const beforeAll = () => ({ ...before(), win: structuredClone(state.win) });

/** How the program was started: what the command line says now beats what was chosen under an earlier one. */
const started = JSON.stringify([page.default_rules, page.house]);

export function save() {
  const { tab, settings, win, followed, unsent, edited, tiles, problems, picture } = state;
  const seen = picture?.scene && !following() ? { unsent, edited, tiles, problems, scene: picture.scene } : {};
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...draft(), ...seen, tab, settings, win, followed, started }));
  } catch {
    // Private windows may refuse storage; the page works without it.
  }
}

let left = {}; // what was seen on the picture that `restorePicture` is to bring back

export function restore() {
  let saved = null;
  try {
    saved = JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    localStorage.removeItem(KEY);
  }
  if (!saved) return;
  if (page.rules[saved.settings?.rules]) {
    state.settings = { ...state.settings, ...saved.settings, table: { ...emptyTable(), ...saved.settings.table } };
  }
  if (saved.started !== started) {
    state.settings.rules = page.default_rules;
    state.settings.house = { ...state.settings.house, ...page.house };
  }
  state.win = { ...emptyWin(), ...saved.win };
  state.followed = saved.followed ?? null;
  state.tab = TABS.includes(saved.tab) ? saved.tab : "move";
  const own = saved.mode !== "live" || saved.held;
  if (own || !page.source) {
    state.mode = saved.mode === "live" && !page.source ? "manual" : saved.mode;
    state.held = Boolean(saved.held) && state.mode === "live";
    state.hand = { ...emptyHand(), ...saved.hand };
    left = saved;
  }
}

/** The picture of a draft after a reload; where it is gone (`null`), no tile belongs to a box any more. */
export function restorePicture(kept) {
  if (following() || state.mode === "manual") return;
  if (kept && kept.scene === left.scene) {
    const unsent = Boolean(left.unsent);
    update({ picture: { ...kept, url: URL.createObjectURL(kept.blob) }, tiles: left.tiles, problems: left.problems, edited: left.edited, touched: unsent, unsent, corrected: unsent });
  } else {
    for (const item of allTiles(state.hand)) item.id = null;
  }
}

export const canUndo = () => history.length > 0;
/** The step that an undo would take back. */
export const lastStep = () => history.at(-1);

export function remember(step) {
  history.push(step);
  if (history.length > UNDO_STEPS) history.shift();
}

/** What was booked is no draft any more. */
export const forgetSteps = () => history.splice(0);

export function undo() {
  const step = history.pop();
  if (!step) return null;
  if (step.kind === "draft") {
    Object.assign(state, step.before);
    changed();
  }
  return step;
}

/** Turn what is shown into a draft; the live picture goes on behind it. */
export function hold() {
  if (following()) {
    state.held = true;
    state.touched = state.unsent = state.edited = false;
    state.hand = structuredClone(state.hand);
    state.tiles = structuredClone(state.tiles);
  }
}

/** Edit the hand: `change(hand)` gets the draft, one undo step is kept. */
export function edit(change) {
  remember({ kind: "draft", before: before() });
  hold();
  state.edited = true;
  change(state.hand);
  changed();
}

/** Change a setting or the win; kept, not part of the tiles' undo. */
export function set(change) {
  change(state);
  changed();
}

const afterChange = new Set();
export const onChange = (listener) => afterChange.add(listener);

function changed() {
  save();
  for (const listener of afterChange) listener();
  update();
}

export function resume() {
  if (!page.source) return;
  remember({ kind: "draft", before: beforeAll() });
  state.mode = "live";
  state.held = false;
  state.touched = state.unsent = false;
  state.win = emptyWin(); // it may be the next hand that the camera shows, and nothing is taken for granted
  state.tiles = [];
  changed();
}

export function startManual(hand = emptyHand()) {
  remember({ kind: "draft", before: before() });
  Object.assign(state, { mode: "manual", held: false, hand, tiles: [], picture: null, problems: [], ...unanswered });
  changed();
}

export function showPhoto(hand, tiles, picture, problems) {
  remember({ kind: "draft", before: beforeAll() });
  Object.assign(state, { mode: "photo", held: false, touched: false, unsent: false, edited: false, hand, tiles, picture, problems });
  state.win = emptyWin();
  changed();
}

export const newWin = emptyWin;

// --- hands ------------------------------------------------------------------------------------------------------------

export const newTile = (code, extra = {}) => ({ tile: code, id: null, certain: true, pinned: false, alternatives: [], ...extra });

export function allTiles(hand) {
  return [
    ...hand.concealed,
    ...(hand.drawn ? [hand.drawn] : []),
    ...hand.melds.flatMap((meld) => meld.tiles),
    ...hand.flowers,
  ];
}

const text = (items) => items.map((item) => item.tile).filter(Boolean);

const mpsz = (codes) => format([...codes].sort(order));

/** Put flowers where they belong, whatever was tapped. */
export function addTile(hand, code) {
  if (isFlower(code)) hand.flowers.push(newTile(code));
  else hand.concealed.push(newTile(code));
}

export function removeTile(hand, item) {
  if (hand.drawn === item) hand.drawn = null;
  for (const list of [hand.concealed, hand.flowers, ...hand.melds.map((meld) => meld.tiles)]) {
    const index = list.indexOf(item);
    if (index >= 0) list.splice(index, 1);
  }
  hand.melds = hand.melds.filter((meld) => meld.tiles.length > 0);
}

/** Sets to form in this game: five, or four. */
const sets = (rules) => page.rules[rules].sets;

export function concealedCount(hand) {
  return text(hand.concealed).length + (hand.drawn?.tile ? 1 : 0);
}

/** "between" two turns (3n+1 tiles), "drawn" (3n+2), or "count" when neither fits. */
export function stage(hand, rules) {
  const n = sets(rules) - hand.melds.length;
  const count = concealedCount(hand);
  if (count === 3 * n + 1) return "between";
  if (count === 3 * n + 2) return "drawn";
  return "count";
}

export const expected = (hand, rules) => {
  const n = sets(rules) - hand.melds.length;
  return [3 * n + 1, 3 * n + 2];
};

/** Problems of the picture's count: once a draft was edited, the status line tells its own. */
const OF_COUNT = ["too_many_tiles", "too_few_tiles", "tile_missing"];
/** A sentence about more tiles than these points at none of them. */
const POINTED_AT = 5;

/** What does not fit in the picture, as far as nobody has put it right in the draft. */
export function standingProblems() {
  if (following()) return state.problems;
  const edited = new Set(state.tiles.filter((tile) => tile.edited).map((tile) => tile.id));
  return state.problems.filter(({ code, ids = [] }) => !(state.edited && OF_COUNT.includes(code)) && !ids.some((id) => edited.has(id)));
}

/** The tiles that those problems are about. */
export const questioned = () => new Set(standingProblems().flatMap(({ ids = [] }) => (ids.length > POINTED_AT ? [] : ids)));

function tableRecord(settings, hand) {
  const table = {};
  const { dealer_streak, draw_streak, tiles_left, chips, claims } = settings.table;
  if (dealer_streak) table.dealer_streak = dealer_streak;
  if (draw_streak) table.draw_streak = draw_streak;
  if (tiles_left !== null && tiles_left !== "") table.tiles_left = Number(tiles_left);
  if (chips) table.chips = chips;
  if (hand.visible.length) table.visible = mpsz(hand.visible);
  if (claims?.length && page.rules[settings.rules].claims) {
    table.claims = {};
    for (const { seat, from, count } of claims) {
      if (count > 0) (table.claims[seat] ??= {})[from] = count;
    }
  }
  return table;
}

/** The hand record of what is shown (hand-record.md), without a win. */
export function toRecord({ drawnApart = true, seat = state.settings.seat } = {}) {
  const { hand, settings } = state;
  const rules = page.rules[settings.rules];
  const record = { rules: settings.rules, house: settings.house[settings.rules] ?? {}, dealer: settings.dealer, seat };
  if (rules.gold === "flipped") record.gold = hand.gold;
  else if (rules.gold) record.gold = rules.gold;
  let concealed = text(hand.concealed);
  if (hand.drawn?.tile && drawnApart) record.drawn = hand.drawn.tile;
  else if (hand.drawn?.tile) concealed = [...concealed, hand.drawn.tile];
  if (drawnApart && !record.drawn && stage(hand, settings.rules) === "drawn" && concealed.length) record.drawn = concealed.pop();
  record.hand = mpsz(concealed);
  record.melds = hand.melds.map((meld) => {
    const out = { kind: meld.kind, tiles: mpsz(text(meld.tiles)) };
    // A chow comes from the player before; nobody claims from himself.
    if (meld.kind !== "chow" && meld.from && meld.from !== seat) out.from = meld.from;
    return out;
  });
  record.flowers = mpsz(text(oneOfEach(hand.flowers)));
  record.youjin = hand.youjin;
  record.table = tableRecord(settings, hand);
  if (settings.table.sitting_out?.length) record.sitting_out = settings.table.sitting_out;
  return record;
}

/** Is somebody asked about this tile? */
export const inDoubt = (item) => item.certain === false && !item.pinned;

/** A flower that is there already and in doubt is asked about; meanwhile it does not count. */
function oneOfEach(flowers) {
  const sure = new Set(flowers.filter((item) => !inDoubt(item)).map((item) => item.tile));
  const seen = new Set();
  return flowers.filter((item) => {
    if (!inDoubt(item)) return true;
    const first = !sure.has(item.tile) && !seen.has(item.tile);
    seen.add(item.tile);
    return first;
  });
}

/** What the form describes, to be settled: a record with a win, or an event; `null` until the form says enough. */
export function toWinRecord() {
  const { win, settings } = state;
  if (win.ending === "win") return win.seat ? wonRecord() : null;
  const { dealer_streak, draw_streak } = settings.table;
  const record = { rules: settings.rules, house: settings.house[settings.rules] ?? {}, event: win.ending, dealer: settings.dealer, table: { dealer_streak, draw_streak } };
  if (win.ending === "follow") return { ...record, count: win.count };
  if (win.ending === "draw") return record;
  if (!win.offender) return null;
  record.seat = win.offender;
  if (win.wronged) record.youjin_players = [{ ...toRecord({ drawnApart: false, seat: win.wronged }), win: { by: "self_draw" } }];
  return record;
}

/** What is to be settled, to be compared. */
export const winText = () => JSON.stringify(toWinRecord());

/** Does the settlement that is there belong to something else than the form says now? */
export const stale = () => winText() !== JSON.stringify(state.settled);

function wonRecord() {
  const { win, settings, hand } = state;
  const method = page.rules[settings.rules].methods[win.by];
  if (!method) return null;
  const record = toRecord({ drawnApart: false, seat: win.seat });
  record.win = { by: win.by };
  let winning = win.tile;
  if (method.tile && !winning && hand.drawn?.tile) winning = hand.drawn.tile;
  const needed = expected(hand, settings.rules);
  const total = concealedCount(hand);
  if (method.tile && winning && !(method.tile === "optional" && total === needed[0] && !win.tile)) {
    record.win.tile = winning;
    if (total === needed[1]) record.hand = without(record.hand, winning);
  } else if (method.tile === "drawn" && total === needed[1]) {
    const drawn = hand.drawn?.tile ?? text(hand.concealed).at(-1);
    record.drawn = drawn;
    record.hand = without(record.hand, drawn);
  }
  if (method.from && win.from) record.win.from = win.from;
  for (const flag of method.flags) {
    if (flag === "kong") {
      if (win.kong) record.win.kong = win.kong;
    } else if (win.flags[flag]) record.win[flag] = true;
  }
  return record;
}

/** The hand, the form and the settings that make this record again: what was booked is open for correcting. */
export function fromRecord(record) {
  remember({ kind: "draft", before: beforeAll() });
  const player = record.youjin_players?.[0];
  const source = record.event ? player : record;
  const tiles = (codes) => parse(codes ?? "").map((code) => newTile(code));
  const hand = emptyHand();
  if (source) {
    Object.assign(hand, {
      gold: source.gold ?? null,
      concealed: tiles(source.hand),
      drawn: source.drawn ? newTile(source.drawn) : null,
      melds: (source.melds ?? []).map((meld) => ({ kind: meld.kind, from: meld.from ?? null, tiles: tiles(meld.tiles) })),
      flowers: tiles(source.flowers),
      visible: parse(source.table?.visible ?? ""),
      youjin: source.youjin ?? 0,
    });
  }
  const { by = null, tile = null, from = null, kong = "", ...flags } = record.win ?? {};
  const win = { ...emptyWin(), by, tile, from, kong, flags };
  if (record.event) Object.assign(win, { ending: record.event, offender: record.seat ?? null, count: record.count ?? 1, wronged: player?.seat ?? null });
  else win.seat = record.seat;
  const { claims = {}, dealer_streak = 0, draw_streak = 0, tiles_left = null, chips = null } = record.table ?? {};
  const claimed = Object.entries(claims).flatMap(([seat, from_]) => Object.entries(from_).map(([whom, count]) => ({ seat, from: whom, count })));
  const table = { ...emptyTable(), dealer_streak, draw_streak, tiles_left, chips, sitting_out: record.sitting_out ?? [], claims: claimed };
  const settings = { ...state.settings, rules: record.rules, dealer: record.dealer, dealer_open: false, table, house: { ...state.settings.house, [record.rules]: record.house ?? {} } };
  Object.assign(state, { mode: "manual", held: false, hand, win, settings, tiles: [], picture: null, problems: [], ...unanswered });
  changed();
}

/** What everybody has when a course begins (XM 4.4). */
export function courseChips() {
  const { rules, house } = state.settings;
  const each = house[rules]?.course_chips ?? page.rules[rules].house.find((key) => key.key === "course_chips")?.default ?? 100;
  return Object.fromEntries(["A", "B", "C", "D"].map((seat) => [seat, each]));
}

/** Who has no chips left, so that the course is over; `null` while it goes on or none is counted. */
export function outOfChips() {
  const { table, rules } = state.settings;
  if (!page.rules[rules].chips || !table.chips) return null;
  return Object.keys(table.chips).find((seat) => table.chips[seat] <= 0) ?? null;
}

/** Take over who deals and how often in a row (`next`, `null` where nothing changes), and who has how many chips. */
export function deal(next, chips) {
  const { settings } = state;
  const dealt = next && { dealer: next.dealer ?? settings.dealer, dealer_open: next.dealer === null };
  const streaks = next && { dealer_streak: next.dealer_streak, draw_streak: next.draw_streak };
  state.settings = { ...settings, ...dealt, table: { ...settings.table, ...streaks, chips } };
}

/**
 * What was confirmed is on the sheet.
 *
 * @param over whether the hand is over and the next one begins
 * @param next who deals then, see `deal`
 * @param paid by seat, to be added to the chips where they are counted
 */
export function nextHand(over, next, paid = {}) {
  forgetSteps();
  const { chips } = state.settings.table;
  if (over) {
    const { dealer_streak, draw_streak } = state.settings.table;
    state.settings = { ...state.settings, table: { ...emptyTable(), dealer_streak, draw_streak } };
    Object.assign(state, { hand: emptyHand(), tiles: [], picture: null, problems: [], ...unanswered, held: false, mode: page.source ? "live" : "manual" });
  }
  deal(over ? next : null, chips && Object.fromEntries(Object.entries(chips).map(([seat, n]) => [seat, n + (paid[seat] ?? 0)])));
  Object.assign(state, { win: emptyWin(), offer: { tile: null, from: null }, settlement: null, settlementError: null, settled: null, elsewhere: null, question: "" });
  changed();
}

function without(handText, code) {
  const codes = parse(handText);
  const index = codes.indexOf(code);
  if (index >= 0) codes.splice(index, 1);
  return mpsz(codes);
}
