// Following the camera: one request waits for news, answers arrive as soon as there are any, and a broken connection is
// told and mended without anybody's help.

import { ApiFailure, get, post } from "./api.js";
import { page } from "./i18n.js";
import { following, state, update } from "./store.js";

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
    if (!telling) patch.settings = { ...state.settings, ...news.settings, table: state.settings.table, house: state.settings.house };
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
