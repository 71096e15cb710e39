// Puts the page together.

import "./prefs.js";
import { ApiFailure, post, readPhoto } from "./api.js";
import { AnswersView, sentence } from "./answers.js";
import { ClaimsPanel } from "./claims.js";
import { $, debounce, h } from "./dom.js";
import { SettleForm } from "./form.js";
import { HandView } from "./hand.js";
import { HousePanel } from "./house.js";
import { page, pick, t } from "./i18n.js";
import { accept, catchUp, follow, pin, setContext, unpin } from "./live.js";
import { applyMeld, askMeld } from "./melds.js";
import { Picture } from "./picture.js";
import { pickTile } from "./picker.js";
import { settlementSheet } from "./settlement.js";
import * as store from "./store.js";
import { FLOWERS, isFlower, order, spokenName } from "./tiles.js";
import { watchUploads } from "./upload.js";

const { state, update, subscribe, following } = store;

// --- notices ----------------------------------------------------------------------------------------------------------

const toast = $("#toast");
let toastTimer = 0;

/** The step that the toast's own button takes back. */
let offered = null;

function say(text, { undo = false, trouble = false } = {}) {
  clearTimeout(toastTimer);
  offered = undo ? store.lastStep() : null;
  toast.className = `toast ${trouble ? "tone-trouble" : ""}`;
  toast.replaceChildren(h("span", {}, text), undo ? h("button", { type: "button", class: "button button-quiet", onclick: undoLast }, t("undo")) : "", h("button", { type: "button", class: "icon-button", "aria-label": t("close"), onclick: () => (toast.hidden = true) }, "×"));
  toast.hidden = false;
  toastTimer = setTimeout(() => (toast.hidden = true), trouble ? 12000 : 7000);
}

function fail(failure) {
  if (!(failure instanceof ApiFailure)) throw failure;
  say(pick(failure.error), { trouble: true });
}

// --- tapping tiles ----------------------------------------------------------------------------------------------------

const picture = new Picture($("#picture"), tapTile);
const hand = new HandView($("#hand"), {
  tile: tapTile,
  gold: tapGold,
  meld: tapMeld,
});

/** The alternatives and the box of a tile of the hand, from the picture it was seen in. */
function seen(item) {
  return (item.id !== null && item.id !== undefined && state.tiles.find((tile) => tile.id === item.id)) || item;
}

async function tapTile(item) {
  const where = seen(item);
  const { gold } = state.hand;
  const { rules } = state.settings;
  const inHand = store.allTiles(state.hand).includes(item) || store.allTiles(state.hand).some((other) => other.id !== null && other.id === item.id);
  const camera = following() && where.id !== null && where.id !== undefined;
  const actions = [];
  if (camera && where.pinned) actions.push({ value: "unpin", label: t("unpin") });
  if (item.tile) actions.push({ value: "facedown", label: t("face_down_or_none") });
  if (inHand) actions.push({ value: "remove", label: t("remove_tile"), class: "button-danger" });
  if (inHand && state.hand.concealed.includes(item)) actions.push({ value: "drawn", label: t("make_drawn") });
  if (item.tile && !isFlower(item.tile) && item.tile !== gold && page.rules[rules].gold === "flipped") actions.push({ value: "gold", label: t("make_gold") });
  const choice = await pickTile({
    title: t("which_tile", { tile: spokenName(item.tile, gold, rules) }),
    current: item.tile,
    alternatives: where.alternatives ?? [],
    crop: picture.crop(where),
    actions,
    gold,
    rules,
  });
  if (!choice) return;
  if (choice.action === "gold") {
    await nameGold(item.tile);
    return;
  }
  if (camera && (choice.tile || choice.action === "facedown" || choice.action === "unpin")) {
    await correctOnTable(where, choice);
  } else {
    correctInDraft(item, choice);
  }
}

/** A correction of what the camera sees is pinned to the tile on the table. */
async function correctOnTable(tile, choice) {
  try {
    const news = choice.action === "unpin" ? await unpin(tile.id) : await pin(tile.id, choice.tile ?? null);
    if (choice.action !== "unpin") store.remember({ kind: "pin", id: tile.id, before: tile.pinned ? tile.tile : undefined });
    accept(news);
    if (choice.action !== "unpin") say(choice.tile ? t("corrected", { tile: spokenName(choice.tile, null, "") }) : t("corrected_none"), { undo: true });
  } catch (failure) {
    fail(failure);
  }
}

function correctInDraft(item, choice) {
  const index = { id: item.id };
  store.edit((draft) => {
    // Holding copies the hand: find the tile again in the copy.
    const target = locate(draft, item, index);
    const box = state.tiles.find((tile) => item.id !== null && item.id !== undefined && tile.id === item.id);
    if (choice.action === "remove" || choice.action === "facedown") {
      if (target) store.removeTile(draft, target);
      if (box) Object.assign(box, { pinned: true, tile: null });
    } else if (choice.action === "drawn") {
      if (!target) return;
      const before = draft.drawn;
      store.removeTile(draft, target);
      draft.drawn = target;
      if (before) draft.concealed.push(before);
    } else if (choice.tile) {
      if (box) Object.assign(box, { pinned: true, tile: choice.tile });
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
  say(t("changed"), { undo: true });
}

let positions = new WeakMap();

function locate(draft, item) {
  const all = store.allTiles(draft);
  if (all.includes(item)) return item;
  if (item.id !== null && item.id !== undefined) return all.find((other) => other.id === item.id) ?? null;
  return all[positions.get(item)] ?? null;
}

subscribe(() => {
  positions = new WeakMap(store.allTiles(state.hand).map((item, index) => [item, index]));
});

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

async function tapGold() {
  const seenGold = following() ? state.tiles.find((tile) => tile.area === "gold") : null;
  const choice = await pickTile({
    title: t("choose_gold"),
    current: state.hand.gold,
    alternatives: [...(goldInDoubt() ? [[state.hand.gold, null]] : (state.hand.gold_candidates ?? []).map((code) => [code, null])), ...(seenGold?.alternatives ?? [])],
    crop: seenGold ? picture.crop(seenGold) : null,
    exclude: FLOWERS,
    actions: state.hand.gold ? [{ value: "clear", label: t("clear_gold") }] : [],
  });
  if (!choice) return;
  // Which tile is the gold's was in doubt: a person's word settles that, whatever the tile looks like.
  if (following() && seenGold && choice.tile && state.hand.gold_certain !== false) await correctOnTable(seenGold, choice);
  else await nameGold(choice.tile ?? null);
}

async function tapMeld(meld) {
  const index = state.hand.melds.indexOf(meld);
  const answer = await askMeld(meld);
  if (!answer) return;
  store.edit((draft) => {
    if (answer.action === "remove") draft.melds.splice(index, 1);
    else applyMeld(draft.melds[index], answer);
  });
}

async function addMeld() {
  const answer = await askMeld();
  if (answer?.codes) store.edit((draft) => draft.melds.push(applyMeld({}, answer)));
}

/** Add tiles one after the other until the sheet is closed. */
async function addTiles() {
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

async function undoLast() {
  const step = store.undo();
  toast.hidden = true;
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

// --- photos and typing ------------------------------------------------------------------------------------------------

async function takePhoto(file) {
  update({ busy: true });
  try {
    const reading = await readPhoto(file, state.settings.rules);
    if (!reading.tiles.length) say(t("no_tiles_seen"), { trouble: true });
    const url = URL.createObjectURL(file);
    const previous = state.picture?.url;
    store.showPhoto(reading.hand, reading.boxes, { url, width: reading.width, height: reading.height }, reading.problems);
    if (previous?.startsWith("blob:")) URL.revokeObjectURL(previous);
    $("#picture").scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  } catch (failure) {
    fail(failure);
  } finally {
    update({ busy: false });
  }
}

watchUploads(takePhoto, () => say(t("no_picture"), { trouble: true }));

const typed = $("#typed");
typed.addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = $("input", typed);
  const note = $("[data-typed-note]");
  note.textContent = "";
  try {
    const answer = await post("/api/tiles", { text: input.value });
    store.edit((draft) => {
      const codes = answer.tiles;
      draft.concealed = codes.filter((code) => !isFlower(code)).map((code) => store.newTile(code));
      draft.flowers = [...draft.flowers.filter(() => !codes.some(isFlower)), ...codes.filter(isFlower).map((code) => store.newTile(code))];
      draft.drawn = null;
      if (store.stage(draft, state.settings.rules) === "drawn") draft.drawn = draft.concealed.pop();
    });
    input.removeAttribute("aria-invalid");
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    note.textContent = pick(failure.error);
    input.setAttribute("aria-invalid", "true");
  }
});

// --- settings ---------------------------------------------------------------------------------------------------------

const form = new SettleForm($("#settle-form"), async (title, current) => (await pickTile({ title, current, gold: state.hand.gold, rules: state.settings.rules }))?.tile ?? null);
const house = new HousePanel($("#house"));
const answers = new AnswersView($("#answers"));
const claims = new ClaimsPanel($("#claims"), async (title, current) => (await pickTile({ title, current, exclude: FLOWERS, gold: state.hand.gold, rules: state.settings.rules }))?.tile ?? null);

for (const select of document.querySelectorAll("[data-setting]")) {
  select.addEventListener("change", () =>
    store.set((s) => {
      const name = select.dataset.setting;
      s.settings[name] = select.value;
      if (name === "rules" && !page.rules[select.value].methods[s.win.by]) s.win = store.newWin();
      if (name === "rules") s.hand = { ...s.hand, youjin: 0 };
    }),
  );
}
$("#youjin-level").addEventListener("change", (event) => {
  const level = Number(event.target.value);
  if (following()) setContext({ youjin: level }).then(accept, fail);
  else store.edit((draft) => void (draft.youjin = level));
});

/** What the loop behind the camera must know; sent when it changes. */
let sent = "";
function tellServer() {
  if (!page.source) return;
  const { rules, seat, dealer, house: own, table } = state.settings;
  const context = { rules, seat, dealer, house: own[rules] ?? {}, table: { dealer_streak: table.dealer_streak, draw_streak: table.draw_streak, ...(table.chips ? { chips: table.chips } : {}) } };
  const text = JSON.stringify(context);
  if (text === sent) return;
  sent = text;
  setContext(context).then(accept, (failure) => {
    sent = "";
    if (failure instanceof ApiFailure && failure.status === 0) return; // told by the connection banner
    fail(failure);
  });
}

// --- answers ----------------------------------------------------------------------------------------------------------

let asking = null;
let asked = "";

/** What the engine is asked about the draft and the form; `null` while there is nothing to ask. */
function question() {
  const { rules } = state.settings;
  const where = store.stage(state.hand, rules);
  const needsGold = page.rules[rules].gold === "flipped" && !state.hand.gold;
  const whole = where !== "count" && !needsGold && store.allTiles(state.hand).every((item) => item.tile);
  return {
    record: !following() && whole ? store.toRecord() : null,
    win: state.tab === "settle" && !needsGold && store.allTiles(state.hand).length ? store.toWinRecord() : null,
    claim: whole && where === "between" ? claims.record() : null,
  };
}

const ask = debounce(async () => {
  const now = question();
  const text = JSON.stringify(now);
  if (text === asked) return;
  asked = text;
  asking?.abort();
  asking = new AbortController();
  try {
    const said = now.record || now.win || now.claim ? await post("/api/table", now, asking.signal) : {};
    if (asked !== text) return;
    const patch = {
      settlement: said.settlement ?? null,
      settlementError: said.settlement_error ?? null,
      claims: said.claims ?? null,
      claimsError: said.claims_error ?? null,
    };
    update(following() ? patch : { ...patch, answer: said.answer ?? null, error: said.answer_error ?? null });
  } catch (failure) {
    if (failure.name === "AbortError") return;
    asked = "";
    fail(failure);
  }
}, 60);

store.onChange(() => {
  ask();
  tellServer();
  if (following()) catchUp();
});

// --- tabs, buttons ----------------------------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll("[role=tab]")];
function showTab(name, focus = false) {
  if (name === "settle") prefill();
  state.tab = name;
  store.save();
  update();
  ask();
  if (focus) tabs.find((tab) => tab.dataset.tab === name).focus();
}
for (const tab of tabs) {
  tab.addEventListener("click", () => showTab(tab.dataset.tab));
  tab.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    const step = event.key === "ArrowRight" ? 1 : -1;
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : (tabs.indexOf(tab) + step + tabs.length) % tabs.length;
    showTab(tabs[next].dataset.tab, true);
  });
}

/** Settling begins: keep the picture of the finished hand still, and fill in what it shows. */
function prefill() {
  if (following() && store.allTiles(state.hand).length) store.hold();
  const win = state.answer?.win_now;
  const methods = page.rules[state.settings.rules].methods;
  if (!state.win.by && win?.legal && methods[win.settlement?.method_by ?? "self_draw"]) {
    state.win = { ...store.newWin(), by: "self_draw" };
  }
}

document.addEventListener("settle", () => {
  showTab("settle");
  $("#panel").scrollIntoView({ block: "start" });
});

const goldInDoubt = () => Boolean(state.hand.gold) && state.hand.gold_certain === false;

/** A person looked at the whole hand: every tile is what it is taken for. */
async function allRight() {
  const doubtful = (hand) => store.allTiles(hand).filter((item) => item.certain === false && !item.pinned && item.tile);
  if (!following()) {
    store.edit((draft) => {
      doubtful(draft).forEach((item) => Object.assign(item, { certain: true, pinned: true }));
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

const act = {
  "all-right": allRight,
  "add-tile": addTiles,
  "add-meld": addMeld,
  "choose-gold": tapGold,
  undo: undoLast,
  manual: () => store.startManual(),
  clear: () => {
    store.startManual();
    say(t("cleared"), { undo: true });
  },
  hold: () => {
    store.remember({ kind: "draft", before: { held: false, mode: "live" } });
    store.hold();
    store.set(() => {});
  },
  live: () => store.resume(),
  settle: () => {
    showTab("settle");
    $("#panel").scrollIntoView({ block: "start" });
  },
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (button) act[button.dataset.act]();
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("input, textarea")) {
    event.preventDefault();
    undoLast();
  }
});

// --- drawing the page -------------------------------------------------------------------------------------------------

const status = $("#status");
let spoken = "";

function renderStatus() {
  const line = sentence();
  const unsure = store.allTiles(state.hand).filter((item) => item.certain === false && !item.pinned).length + (goldInDoubt() ? 1 : 0);
  const next = [
    h("p", { class: "status-main" }, line.text),
    line.more ? h("p", { class: "status-more" }, line.more) : "",
    unsure ? h("p", { class: "status-doubt" }, t("unsure_count", { n: unsure }), h("button", { type: "button", class: "button", "data-act": "all-right" }, t("all_right"))) : "",
  ];
  const signature = `${line.tone}|${next.map((node) => node.outerHTML ?? "").join("|")}`;
  if (signature === spoken) return; // a screen reader hears only what is new
  spoken = signature;
  status.className = `status tone-${line.tone}`;
  status.replaceChildren(...next);
}

function renderSource() {
  const root = document.documentElement;
  root.dataset.mode = state.mode;
  root.dataset.held = String(state.held);
  root.dataset.hand = store.allTiles(state.hand).length ? "some" : "none";
  root.dataset.version = state.live?.version ?? "";
  const trouble = state.live?.status?.trouble;
  const label = state.connection === "lost" ? "lost" : state.mode !== "live" ? state.mode : state.held ? "held" : trouble ? "trouble" : state.connection === "connecting" ? "connecting" : "live";
  const pill = $("#source");
  pill.dataset.state = label;
  $("[data-source-text]", pill).textContent = t(`source_${label}`, { source: page.source ?? "" });
  const banner = $("#connection");
  banner.hidden = state.connection !== "lost";
  $("[data-act=hold]").hidden = !following();
  for (const button of document.querySelectorAll("[data-act=live]")) button.hidden = !page.source || following();
  for (const button of document.querySelectorAll("[data-act=undo]")) button.disabled = !store.canUndo();
  // Its button would take back something else than it says.
  if (offered && offered !== store.lastStep()) {
    toast.hidden = true;
    offered = null;
  }
  const caption = $("#caption");
  const told = following() ? pick(state.live?.caption) : "";
  caption.hidden = !told;
  if (caption.textContent !== told) caption.textContent = told;
  $("#busy").hidden = !state.busy;
  $("#picture").setAttribute("aria-busy", String(state.busy));
}

function renderSettings() {
  for (const select of document.querySelectorAll("[data-setting]")) {
    const value = state.settings[select.dataset.setting];
    if (select.value !== value) select.value = value;
  }
  const names = page.rules[state.settings.rules].youjin_names;
  const level = $("#youjin-level");
  const signature = `${state.settings.rules}`;
  if (level.dataset.rules !== signature) {
    level.dataset.rules = signature;
    level.replaceChildren(...names.map((name, index) => h("option", { value: index }, pick(name))));
  }
  level.closest(".field").hidden = names.length < 2;
  level.value = String(state.hand.youjin);
}

function renderProblems() {
  const box = $("#problems");
  const texts = state.problems.map(pick);
  const signature = texts.join("|");
  if (box.dataset.signature === signature) return;
  box.dataset.signature = signature;
  box.hidden = texts.length === 0;
  box.replaceChildren(...texts.map((text) => h("p", {}, text)));
}

let shownSettlement = "";
function renderSettlement() {
  const signature = JSON.stringify([state.settlement, state.settlementError, state.hand.gold, state.settings.dealer]);
  if (signature === shownSettlement) return;
  shownSettlement = signature;
  const root = $("#settlement");
  root.hidden = !state.settlement && !state.settlementError;
  if (state.settlement) root.replaceChildren(...settlementSheet(state.settlement));
  else if (state.settlementError) root.replaceChildren(h("div", { class: "card-note tone-ask", role: "status" }, pick(state.settlementError)));
  else root.replaceChildren();
}

function renderTabs() {
  for (const tab of tabs) {
    const on = tab.dataset.tab === state.tab;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    $(`#${tab.getAttribute("aria-controls")}`).hidden = !on;
  }
}

subscribe(() => {
  renderSource();
  picture.render();
  hand.render();
  renderStatus();
  renderProblems();
  renderSettings();
  renderTabs();
  answers.render();
  claims.render();
  if (state.tab === "settle") form.render();
  renderSettlement();
  house.render();
  if (state.tab === "settle" || state.offer.tile) ask();
});

store.restore();
update();
ask();
tellServer();
follow();
document.documentElement.dataset.ready = "true";
