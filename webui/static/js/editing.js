// What a tap on a tile does: the picker, a correction that is pinned to the tile on the table, or an edit of the draft.

import { page, t } from "./i18n.js";
import { accept, catchUp, pin, setContext, unpin } from "./live.js";
import { applyMeld, askMeld } from "./melds.js";
import { pickTile } from "./picker.js";
import * as store from "./store.js";
import { FLOWERS, isFlower, order, spokenName } from "./tiles.js";
import { fail, hide, say } from "./toast.js";

const { state, update, following } = store;

/** Where the piece of the picture comes from that a tile was read from; set by whoever shows the picture. */
let crop = () => null;
export const cropsFrom = (source) => (crop = source);

const offerUndo = () => ({ undo: undoLast, step: store.lastStep() });

/** The alternatives and the box of a tile of the hand, from the picture it was seen in. */
function seen(item) {
  return (item.id !== null && item.id !== undefined && state.tiles.find((tile) => tile.id === item.id)) || item;
}

export async function tapTile(item) {
  const where = seen(item);
  const { gold } = state.hand;
  const { rules } = state.settings;
  const inHand = store.allTiles(state.hand).includes(item) || store.allTiles(state.hand).some((other) => other.id !== null && other.id === item.id);
  const onPicture = where.id !== null && where.id !== undefined;
  const camera = following() && onPicture;
  const actions = [];
  if (camera && where.pinned) actions.push({ value: "unpin", label: t("unpin") });
  if (onPicture && item.tile) actions.push({ value: "facedown", label: t("lies_face_down") });
  if (onPicture) actions.push({ value: "nothing", label: t("no_tile_here") });
  if (inHand) actions.push({ value: "remove", label: t("remove_tile"), class: "button-danger" });
  if (inHand && state.hand.concealed.includes(item)) actions.push({ value: "drawn", label: t("make_drawn") });
  if (item.tile && !isFlower(item.tile) && item.tile !== gold && page.rules[rules].gold === "flipped") actions.push({ value: "gold", label: t("make_gold") });
  const choice = await pickTile({
    title: t("which_tile", { tile: spokenName(item.tile, gold, rules) }),
    current: item.tile,
    alternatives: where.alternatives ?? [],
    crop: crop(where),
    actions,
    gold,
    rules,
  });
  if (!choice) return;
  if (choice.action === "gold") await nameGold(item.tile);
  else if (camera && (choice.tile || ["facedown", "nothing", "unpin"].includes(choice.action))) await correctOnTable(where, choice);
  else correctInDraft(item, choice);
}

/** A correction of what the camera sees is pinned to the tile on the table. */
async function correctOnTable(tile, choice) {
  const back = choice.action === "unpin";
  try {
    const news = back ? await unpin(tile.id) : await pin(tile.id, choice.tile ?? null, choice.action === "nothing");
    if (!back) store.remember({ kind: "pin", id: tile.id, before: tile.pinned ? tile.tile : undefined });
    update({ corrected: true });
    accept(news);
    if (!back) say(choice.tile ? t("corrected", { tile: spokenName(choice.tile, null, "") }) : t("corrected_none"), offerUndo());
  } catch (failure) {
    fail(failure);
  }
}

function correctInDraft(item, choice) {
  store.edit((draft) => {
    // Holding copies the hand: find the tile again in the copy.
    const target = locate(draft, item);
    const box = state.tiles.find((tile) => item.id !== null && item.id !== undefined && tile.id === item.id);
    if (box && (choice.tile || choice.action === "facedown" || choice.action === "nothing")) state.corrected = state.touched = state.unsent = true;
    if (box) box.edited = true;
    if (choice.action === "remove") {
      if (target) store.removeTile(draft, target);
      if (box) box.area = "discards"; // it lies there, but is not of this hand
    } else if (choice.action === "facedown" || choice.action === "nothing") {
      if (target) store.removeTile(draft, target);
      if (box) Object.assign(box, { pinned: true, tile: null, nothing: choice.action === "nothing" });
    } else if (choice.action === "drawn") {
      if (!target) return;
      const before = draft.drawn;
      store.removeTile(draft, target);
      draft.drawn = target;
      if (before) draft.concealed.push(before);
    } else if (choice.tile) {
      if (box) Object.assign(box, { pinned: true, tile: choice.tile, nothing: false });
      if (target) {
        const moved = isFlower(choice.tile) !== isFlower(target.tile) && (draft.concealed.includes(target) || draft.flowers.includes(target) || draft.drawn === target);
        Object.assign(target, { tile: choice.tile, certain: true, pinned: true });
        if (moved) {
          store.removeTile(draft, target);
          (isFlower(choice.tile) ? draft.flowers : draft.concealed).push(target);
        }
      } else if (box && box.area === "gold") {
        Object.assign(draft, { gold: choice.tile, gold_certain: true });
      }
    }
  });
  say(t("changed"), offerUndo());
}

let positions = new WeakMap();

function locate(draft, item) {
  const all = store.allTiles(draft);
  if (all.includes(item)) return item;
  if (item.id !== null && item.id !== undefined) return all.find((other) => other.id === item.id) ?? null;
  return all[positions.get(item)] ?? null;
}

store.subscribe(() => {
  positions = new WeakMap(store.allTiles(state.hand).map((item, index) => [item, index]));
});

// --- the gold ---------------------------------------------------------------------------------------------------------

export const goldInDoubt = () => Boolean(state.hand.gold) && state.hand.gold_certain === false;

/** A person says which kind is gold; the camera's own finding is overruled until another hand. */
async function nameGold(code) {
  if (!following()) {
    store.edit((draft) => void Object.assign(draft, { gold: code, gold_certain: true }));
    return;
  }
  try {
    accept(await setContext({ gold: code }));
  } catch (failure) {
    fail(failure);
  }
}

export async function tapGold() {
  const seenGold = following() ? state.tiles.find((tile) => tile.area === "gold") : null;
  const choice = await pickTile({
    title: t("choose_gold"),
    current: state.hand.gold,
    alternatives: [...(goldInDoubt() ? [[state.hand.gold, null]] : (state.hand.gold_candidates ?? []).map((code) => [code, null])), ...(seenGold?.alternatives ?? [])],
    crop: seenGold ? crop(seenGold) : null,
    exclude: FLOWERS,
    actions: state.hand.gold ? [{ value: "clear", label: t("clear_gold") }] : [],
  });
  if (!choice) return;
  // Which tile is the gold's was in doubt: a person's word settles that, whatever the tile looks like.
  if (following() && seenGold && choice.tile && state.hand.gold_certain !== false) await correctOnTable(seenGold, choice);
  else await nameGold(choice.tile ?? null);
}

// --- melds, further tiles ---------------------------------------------------------------------------------------------

export async function tapMeld(meld) {
  const index = state.hand.melds.indexOf(meld);
  const answer = await askMeld(meld);
  if (!answer) return;
  store.edit((draft) => {
    if (answer.action === "remove") draft.melds.splice(index, 1);
    else applyMeld(draft.melds[index], answer);
  });
}

export async function addMeld() {
  const answer = await askMeld();
  if (answer?.codes) store.edit((draft) => draft.melds.push(applyMeld({}, answer)));
}

/** Add tiles one after the other until the sheet is closed. */
export async function addTiles() {
  for (;;) {
    const choice = await pickTile({ title: t("add_tile"), gold: state.hand.gold, rules: state.settings.rules, actions: [{ value: "stop", label: t("done"), class: "button-primary" }] });
    if (!choice?.tile) return;
    store.edit((draft) => {
      store.addTile(draft, choice.tile);
      draft.concealed.sort((a, b) => order(a.tile, b.tile));
    });
    const [, full] = store.expected(state.hand, state.settings.rules);
    if (store.concealedCount(state.hand) >= full) return;
  }
}

// --- all at once ------------------------------------------------------------------------------------------------------

/** A person looked at the whole hand: every tile is what it is taken for. */
export async function allRight() {
  const doubtful = (hand) => store.allTiles(hand).filter((item) => store.inDoubt(item) && item.tile);
  if (!following()) {
    store.edit((draft) => {
      for (const item of doubtful(draft)) {
        Object.assign(item, { certain: true, pinned: true });
        const box = state.tiles.find((tile) => item.id !== null && item.id !== undefined && tile.id === item.id);
        if (box) Object.assign(box, { pinned: true });
      }
      draft.gold_certain = true;
    });
    return;
  }
  try {
    if (goldInDoubt()) accept(await setContext({ gold: state.hand.gold }));
    for (const item of doubtful(state.hand)) {
      accept(await pin(item.id, item.tile));
      store.remember({ kind: "pin", id: item.id, before: undefined });
    }
  } catch (failure) {
    fail(failure);
  }
}

export async function undoLast() {
  let step = store.undo();
  // What was pinned to a tile on the table is no part of a draft, and would change unseen.
  while (step?.kind === "pin" && !following()) step = store.undo();
  hide();
  if (!step) return;
  if (step.kind === "pin") {
    try {
      accept(step.before === undefined ? await unpin(step.id) : await pin(step.id, step.before));
    } catch (failure) {
      fail(failure);
    }
  } else if (following()) {
    catchUp();
  } else if (state.mode === "live" && state.live?.frame === null) {
    update({ picture: null });
  }
}

// --- by typing --------------------------------------------------------------------------------------------------------

/** Take the tiles of a typed text for the concealed ones and the flowers. */
export function takeTyped(codes) {
  store.edit((draft) => {
    draft.concealed = codes.filter((code) => !isFlower(code)).map((code) => store.newTile(code));
    draft.flowers = [...draft.flowers.filter(() => !codes.some(isFlower)), ...codes.filter(isFlower).map((code) => store.newTile(code))];
    draft.drawn = null;
    if (store.stage(draft, state.settings.rules) === "drawn") draft.drawn = draft.concealed.pop();
  });
}
