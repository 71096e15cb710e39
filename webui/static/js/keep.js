// What a draft was made from, kept in the browser so that a reload finds it; and the corrected picture sent to be kept,
// where its owner agreed.

import { ApiFailure, get, put, remove, sendPicture } from "./api.js";
import { $, soon } from "./dom.js";
import * as store from "./store.js";
import { fail } from "./toast.js";

const { state, following, update } = store;
const DATABASE = "youjin";
const STORE = "draft";
const KEY = "picture";

// --- the picture of the draft -----------------------------------------------------------------------------------------

function ask(mode, question) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(STORE, mode);
      const request = question(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(request.result);
      };
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    };
  });
}

/** Private windows refuse to keep anything; the page works without. */
const quietly = (promise) => promise.catch(() => null);

let kept = null; // the scene of the picture that was written last

const write = soon(() => {
  if (following()) return;
  const { picture } = state;
  const scene = picture?.blob ? picture.scene : null;
  if (scene === kept) return;
  kept = scene;
  if (!scene) quietly(ask("readwrite", (where) => where.delete(KEY)));
  else quietly(ask("readwrite", (where) => where.put({ blob: picture.blob, width: picture.width, height: picture.height, scene }, KEY)));
}, 0);

/** Bring back the picture of a draft after a reload. */
export async function restorePicture() {
  store.restorePicture(await quietly(ask("readonly", (where) => where.get(KEY))));
}

export const newScene = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A picture of the camera that is held must be had, too, when the camera has gone on. */
async function fetchHeld() {
  const { picture } = state;
  if (!state.held || !picture || picture.blob || picture.fetching) return;
  picture.fetching = true;
  const answer = await quietly(fetch(picture.url));
  if (!answer || answer.status !== 200 || state.picture !== picture) return;
  const blob = await answer.blob();
  update({ picture: { ...picture, blob, url: URL.createObjectURL(blob), scene: newScene() } });
  store.save();
}

// --- corrections ------------------------------------------------------------------------------------------------------

/** Is every tile of the picture known, and had a person a hand in it? Tiles of the hand without a box were overlooked. */
function teaches() {
  const { tiles, hand } = state;
  const boxes = new Set(tiles.map((tile) => tile.id));
  return tiles.some((tile) => tile.pinned) && tiles.every((tile) => tile.certain || tile.pinned) && store.allTiles(hand).every((item) => boxes.has(item.id));
}

let sent = ""; // the labels that were sent last
let scene = null; // the picture that is kept on the server

const send = soon(async () => {
  const { picture, tiles } = state;
  if (state.consent !== true || following() || !picture?.blob || !state.touched) return;
  const labels = JSON.stringify({ scene: picture.scene, width: picture.width, height: picture.height, tiles });
  if (labels === sent) return;
  try {
    if (teaches()) {
      sent = labels;
      scene = picture.scene;
      await sendPicture("/api/corrections", picture.blob, { labels });
      if (labels === sent) state.unsent = false; // a page left before this tells it when it comes back
      store.save();
    } else if (scene === picture.scene) {
      sent = "";
      scene = null; // what was kept of it is in doubt again
      await remove(`/api/corrections/own_${picture.scene}`);
    }
  } catch (failure) {
    fail(failure);
  }
}, 1500);

const card = $("#ask-consent");

async function answerConsent(consent) {
  try {
    update({ consent: (await put("/api/corrections/consent", { consent })).consent });
    send();
  } catch (failure) {
    fail(failure);
  }
}

for (const button of card.querySelectorAll("[data-consent]")) button.addEventListener("click", () => answerConsent(button.dataset.consent === "yes"));

store.subscribe(() => {
  fetchHeld();
  write();
  if (state.corrected && state.consent === undefined) {
    update({ consent: "asking" });
    get("/api/corrections").then(
      ({ consent }) => update({ consent }),
      (failure) => {
        if (!(failure instanceof ApiFailure)) throw failure;
        state.consent = undefined; // asked again with the next correction
        state.corrected = false;
      },
    );
  }
  card.hidden = !(state.corrected && state.consent === null);
  send();
});
