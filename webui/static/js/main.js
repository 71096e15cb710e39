// Puts the page together.

import "./prefs.js";
import { ApiFailure, post, readPhoto } from "./api.js";
import { AnswersView, sentence } from "./answers.js";
import { ClaimsPanel } from "./claims.js";
import { $, h, renew, soon } from "./dom.js";
import * as editing from "./editing.js";
import { SettleForm } from "./form.js";
import { HandView } from "./hand.js";
import { HousePanel } from "./house.js";
import { page, pick, t, whole } from "./i18n.js";
import { newScene, restorePicture } from "./keep.js";
import { accept, catchUp, follow, setContext, tell } from "./live.js";
import { Picture } from "./picture.js";
import { pickTile } from "./picker.js";
import * as scores from "./scores.js";
import { seatName } from "./seats.js";
import { settlementSheet } from "./settlement.js";
import { chooseSource } from "./source.js";
import * as store from "./store.js";
import { FLOWERS } from "./tiles.js";
import { dropStaleOffer, fail, say } from "./toast.js";
import { watchUploads } from "./upload.js";
import { ZoneEditor } from "./zones.js";

const { state, update, subscribe, following } = store;

const picture = new Picture($("#picture"), editing.tapTile);
editing.cropsFrom((tile) => picture.crop(tile));
const zones = new ZoneEditor($("#picture"), $("#zone-panel"));
const hand = new HandView($("#hand"), { tile: editing.tapTile, gold: editing.tapGold, meld: editing.tapMeld });

// --- photos and typing ------------------------------------------------------------------------------------------------

async function takePhoto(file) {
  update({ busy: true });
  try {
    const reading = await readPhoto(file, state.settings.rules);
    if (!reading.tiles.length) say(t("no_tiles_seen"), { trouble: true });
    const shown = { url: URL.createObjectURL(file), blob: file, scene: newScene(), width: reading.width, height: reading.height };
    store.showPhoto(reading.hand, reading.boxes, shown, reading.problems);
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
  typed.setAttribute("aria-busy", "true");
  try {
    const answer = await post("/api/tiles", { text: input.value, rules: state.settings.rules });
    editing.takeTyped(answer.tiles);
    input.removeAttribute("aria-invalid");
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    note.textContent = whole(failure.error);
    input.setAttribute("aria-invalid", "true");
  } finally {
    typed.setAttribute("aria-busy", "false");
  }
});

// --- settings ---------------------------------------------------------------------------------------------------------

const form = new SettleForm($("#settle-form"), async (title, current) => (await pickTile({ title, current, gold: state.hand.gold, rules: state.settings.rules }))?.tile ?? null);
const house = new HousePanel($("#house"));
const answers = new AnswersView($("#answers"));
const confirm = new scores.ConfirmView($("#confirm"));
const sheet = new scores.SheetView($("#sheet"));
const claims = new ClaimsPanel($("#claims"), async (title, current) => (await pickTile({ title, current, exclude: FLOWERS, gold: state.hand.gold, rules: state.settings.rules }))?.tile ?? null);

for (const select of document.querySelectorAll("[data-setting]")) {
  select.addEventListener("change", () =>
    store.set((s) => {
      const name = select.dataset.setting;
      s.settings[name] = select.value;
      if (name === "dealer") s.settings.dealer_open = false;
      const game = page.rules[s.settings.rules];
      if (name === "rules" && !(s.win.ending === "win" ? game.methods[s.win.by] : game.events[s.win.ending])) s.win = { ...store.newWin(), seat: s.win.seat };
      if (name === "rules") s.hand = { ...s.hand, youjin: 0 };
    }),
  );
}
$("#youjin-level").addEventListener("change", (event) => {
  const level = Number(event.target.value);
  if (following()) setContext({ youjin: level }).then(accept, fail);
  else store.edit((draft) => void (draft.youjin = level));
});

// --- answers ----------------------------------------------------------------------------------------------------------

let asking = null;

/** What the engine is asked about the draft and the form; `null` while there is nothing to ask. */
function question() {
  const { rules } = state.settings;
  const where = store.stage(state.hand, rules);
  const needsGold = page.rules[rules].gold === "flipped" && !state.hand.gold;
  const settling = state.tab === "settle" && (state.win.ending !== "win" || (!needsGold && store.allTiles(state.hand).length > 0));
  const whole = where !== "count" && !needsGold && store.allTiles(state.hand).every((item) => item.tile);
  return {
    record: !following() && whole ? store.toRecord() : null,
    win: settling ? store.toWinRecord() : null,
    claim: whole && where === "between" ? claims.record() : null,
  };
}

const ask = soon(async () => {
  const now = question();
  const text = JSON.stringify(now);
  if (text === state.question) return;
  state.question = text;
  asking?.abort();
  asking = new AbortController();
  try {
    const said = now.record || now.win || now.claim ? await post("/api/table", now, asking.signal) : {};
    if (state.question !== text) return;
    const patch = {
      settlement: said.settlement ?? null,
      settled: said.settlement ? now.win : null,
      settlementError: said.settlement_error ?? null,
      claims: said.claims ?? null,
      claimsError: said.claims_error ?? null,
    };
    update(following() ? patch : { ...patch, answer: said.answer ?? null, error: said.answer_error ?? null });
  } catch (failure) {
    if (failure.name === "AbortError") return;
    if (state.question === text) state.question = "";
    fail(failure);
  }
}, 60);

store.onChange(() => {
  ask();
  tell();
  if (following()) catchUp();
});

// --- tabs, buttons ----------------------------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll("[role=tab]")];
function showTab(name, focus = false) {
  state.tab = name;
  if (name === "sheet" || (name === "settle" && !state.scores?.current)) scores.load();
  store.save();
  update();
  ask();
  if (focus) tabs.find((tab) => tab.dataset.tab === name).focus();
}
for (const tab of tabs) {
  tab.addEventListener("click", () => {
    showTab(tab.dataset.tab);
    // Where the tabs lie below the page, what they open may be out of sight.
    if (matchMedia("(max-width: 899px)").matches) requestAnimationFrame(() => $("#panel").scrollIntoView({ block: "start" }));
  });
  tab.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    const step = event.key === "ArrowRight" ? 1 : -1;
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : (tabs.indexOf(tab) + step + tabs.length) % tabs.length;
    showTab(tabs[next].dataset.tab, true);
  });
}

/** The hand on the table is the winner's and complete: fill in what the answer says, and keep the picture still. */
function settleMine() {
  if (following() && store.allTiles(state.hand).length) store.hold();
  state.win = { ...store.newWin(), seat: state.settings.seat, by: state.answer?.win_now?.legal ? "self_draw" : null };
  showTab("settle");
  $("#panel").scrollIntoView({ block: "start" });
}

document.addEventListener("settle", settleMine);

/** Everything about the win is known and no tile is in doubt: what is shown now is what will be confirmed. */
function holdWhenSettled() {
  if (state.tab !== "settle" || !following() || state.win.ending !== "win") return;
  if (state.settlement?.valid && !store.stale() && !store.allTiles(state.hand).some(store.inDoubt)) {
    store.hold();
    store.save();
    update();
  }
}

const act = {
  "all-right": editing.allRight,
  "add-tile": editing.addTiles,
  "add-meld": editing.addMeld,
  "choose-gold": editing.tapGold,
  undo: editing.undoLast,
  manual: () => store.startManual(),
  clear: () => {
    store.startManual();
    say(t("cleared"), { undo: editing.undoLast, step: store.lastStep() });
  },
  hold: () => {
    store.remember({ kind: "draft", before: { held: false, mode: "live" } });
    store.hold();
    store.set(() => {});
  },
  live: () => store.resume(),
  settle: settleMine,
  source: chooseSource,
  zones: () => zones.toggle(),
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (button) act[button.dataset.act]();
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("input, textarea")) {
    event.preventDefault();
    editing.undoLast();
  }
});

// --- drawing the page -------------------------------------------------------------------------------------------------

const status = $("#status");
let spoken = "";
/** Doubts up to which a whole hand may be called right at once; nobody looks at twenty. */
const FEW = 6;

function renderStatus() {
  const line = sentence();
  const unsure = store.allTiles(state.hand).filter(store.inDoubt).length + (editing.goldInDoubt() ? 1 : 0);
  const next = [
    h("p", { class: "status-main" }, line.text),
    line.more ? h("p", { class: "status-more" }, line.more) : "",
    unsure ? h("p", { class: "status-doubt" }, t("unsure_count", { n: unsure }), unsure <= FEW && store.stage(state.hand, state.settings.rules) !== "count" ? h("button", { type: "button", class: "button", "data-act": "all-right" }, t("all_right")) : null) : "",
  ];
  const signature = `${line.tone}|${next.map((node) => node.outerHTML ?? "").join("|")}`;
  if (signature === spoken) return; // a screen reader hears only what is new
  spoken = signature;
  status.className = `status tone-${line.tone}`;
  renew(status, next);
}

function renderSource() {
  const root = document.documentElement;
  root.dataset.mode = state.mode;
  root.dataset.held = String(state.held);
  root.dataset.tab = state.tab;
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
  for (const button of document.querySelectorAll("[data-act=zones]")) button.hidden = state.mode !== "live" || !state.picture;
  if (zones.open && (state.mode !== "live" || !state.picture)) zones.toggle();
  for (const button of document.querySelectorAll("[data-act=live]")) button.hidden = !page.source || following();
  for (const button of document.querySelectorAll("[data-act=undo]")) button.disabled = !store.canUndo();
  dropStaleOffer();
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
    for (const option of select.dataset.setting === "rules" ? [] : select.options) {
      const name = seatName(option.value);
      if (option.textContent !== name) option.textContent = name;
    }
  }
  const names = page.rules[state.settings.rules].youjin_names;
  const level = $("#youjin-level");
  const signature = `${state.settings.rules}`;
  if (level.dataset.rules !== signature) {
    level.dataset.rules = signature;
    level.replaceChildren(...names.map((name, index) => h("option", { value: index }, pick(name))));
  }
  level.closest(".field").hidden = names.length < 2;
  const title = t(state.tab === "settle" ? "winners_hand" : "my_hand");
  if ($("#hand-title").textContent !== title) $("#hand-title").textContent = title;
  level.value = String(state.hand.youjin);
}

/** Milliseconds for which a sentence about the live picture must stand before it is shown: a hand passes, a tile slides. */
const STANDS = 1500;
const stoodSince = new Map();

/** The problems worth telling: at once about a draft, after a moment about what the camera shows. */
function problemsToTell() {
  const texts = store.standingProblems().map(whole);
  if (!following()) {
    stoodSince.clear();
    return texts;
  }
  const now = performance.now();
  for (const text of stoodSince.keys()) if (!texts.includes(text)) stoodSince.delete(text);
  for (const text of texts) {
    if (stoodSince.has(text)) continue;
    stoodSince.set(text, now);
    setTimeout(renderProblems, STANDS);
  }
  return texts.filter((text) => now - stoodSince.get(text) >= STANDS - 1);
}

function renderProblems() {
  const box = $("#problems");
  const texts = problemsToTell();
  const signature = texts.join("|");
  if (box.dataset.signature === signature) return;
  box.dataset.signature = signature;
  box.hidden = texts.length === 0;
  box.replaceChildren(...texts.map((text) => h("p", {}, text)));
}

let shownSettlement = "";
function renderSettlement() {
  $("#settlement").setAttribute("aria-busy", String(Boolean(state.settlement) && store.stale()));
  const signature = JSON.stringify([state.settlement, state.settlementError, state.hand.gold, state.settings.dealer, state.scores?.players]);
  if (signature === shownSettlement) return;
  shownSettlement = signature;
  const root = $("#settlement");
  root.hidden = !state.settlement && !state.settlementError;
  if (state.settlement) root.replaceChildren(...settlementSheet(state.settlement));
  else if (state.settlementError) root.replaceChildren(h("div", { class: "card-note tone-ask", role: "status" }, whole(state.settlementError)));
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
  confirm.render();
  if (state.tab === "sheet") sheet.render();
  house.render();
  holdWhenSettled();
  if (state.tab === "settle" || state.offer.tile) ask();
});

store.restore();
const wanted = new URLSearchParams(location.search).get("tab");
if (store.TABS.includes(wanted)) state.tab = wanted;
restorePicture();
update();
ask();
tell();
follow();
scores.load();
document.documentElement.dataset.ready = "true";
performance.mark("ready");
