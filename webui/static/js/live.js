// Following the camera: one request waits for news, answers arrive as soon as there are any, and a broken connection is
// told and mended without anybody's help.

import { ApiFailure, get, post } from "./api.js";
import { page } from "./i18n.js";
import { following, state, update } from "./store.js";
import { fail } from "./toast.js";

const WAIT_SECONDS = 20;
const RETRY_MS = [500, 1000, 2000, 3000];
const FALLBACK_MS = 700;

let version = -1;
let failures = 0;
let abort = null;
let telling = 0; // settings on their way to the server

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const visible = () =>
  document.visibilityState === "visible"
    ? Promise.resolve()
    : new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));

/** What everybody at the table goes by, and the loop behind the camera must know. */
function contextOf({ rules, seat, dealer, dealer_open, house, table }) {
  const { dealer_streak, draw_streak, chips } = table;
  return { rules, seat, dealer, dealer_open, house: house[rules] ?? {}, table: { dealer_streak, draw_streak, ...(chips ? { chips } : {}) } };
}

function takenOver({ rules, seat, dealer, dealer_open, house, table }) {
  const { dealer_streak = 0, draw_streak = 0, chips = null } = table;
  const { settings } = state;
  return { ...settings, rules, seat, dealer, dealer_open, house: { ...settings.house, [rules]: house }, table: { ...settings.table, dealer_streak, draw_streak, chips } };
}

let told = null; // what this page said last, or took over

/** What the settings are now is no change of this page's: the server knows it, or need not. */
export const agree = () => void (told = contextOf(state.settings));

/** Tell the server what was changed on this page since; a page that only opens changes nothing for the others. */
export function tell() {
  if (!page.source) return;
  const now = contextOf(state.settings);
  const before = told ?? now;
  told = now;
  const changes = Object.fromEntries(Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
  if (!Object.keys(changes).length) return;
  if ("rules" in changes) changes.house = now.house; // another game has other house rules
  setContext(changes).then(accept, (failure) => {
    told = before;
    if (failure instanceof ApiFailure && failure.status === 0) return; // told by the connection banner
    fail(failure);
  });
}

/** Take what the server says about the camera; what was on its way before something newer is no news. */
export function accept(news) {
  if (news.version < version) return;
  version = news.version;
  const patch = { live: news, connection: "ok" };
  if (following()) {
    patch.hand = news.hand;
    patch.tiles = news.tiles;
    patch.problems = news.problems;
    patch.answer = news.answer;
    patch.error = news.error;
    patch.picture = news.frame
      ? { url: news.frame.url, width: news.frame.width, height: news.frame.height }
      : null;
    // What was chosen here and is still on its way to the server is not overruled.
    if (!telling) {
      patch.settings = takenOver(news.settings);
      told = contextOf(patch.settings);
    }
  }
  update(patch);
}

/** Show at once what the server said last, after a draft is put away. */
export function catchUp() {
  if (state.live) accept(state.live);
}

export async function follow() {
  if (!page.source) return;
  for (;;) {
    await visible();
    try {
      abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), (WAIT_SECONDS + 10) * 1000);
      const news = await get(`/api/state?after=${version}&wait=${failures ? 0 : WAIT_SECONDS}`, abort.signal);
      clearTimeout(timer);
      failures = 0;
      // A server that was started anew counts from the beginning.
      if (news.version !== version) accept(news);
      else if (state.connection !== "ok") update({ connection: "ok" });
      if (news.busy) await sleep(FALLBACK_MS);
    } catch (failure) {
      if (!(failure instanceof ApiFailure) && failure.name !== "AbortError") throw failure;
      failures += 1;
      version = -1;
      if (state.connection !== "lost") update({ connection: "lost" });
      await sleep(RETRY_MS[Math.min(failures, RETRY_MS.length) - 1]);
    }
  }
}

/** Say what a tile on the table is: a code, `null` for face down, or `nothing`: no tile at all. */
export const pin = (id, tile, nothing = false) => post("/api/live/pin", { id, tile, nothing });
export const unpin = (id) => post("/api/live/unpin", { id });

/** Tell the loop which game is played, from which seat, with which house rules. */
export async function setContext(context) {
  telling += 1;
  try {
    return await post("/api/live/context", context);
  } finally {
    telling -= 1;
  }
}
