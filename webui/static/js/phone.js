// The phone as the camera: sends the newest picture whenever the last one was answered, and shows what was read.
//
// Pictures are sent while something moves and a little longer, so that the votes of the tracker can settle; a still table
// costs a sign of life now and then. Nothing is sent while the page is hidden.

import "./prefs.js";
import { ApiFailure, post, send } from "./api.js";
import { sentence } from "./answers.js";
import { Camera, obstacle, reason, shrink } from "./camera.js";
import { $, h, reconcile, s, setAttributes } from "./dom.js";
import { page, t, tileName, whole } from "./i18n.js";
import { fittedLabel } from "./labels.js";
import { pickTile } from "./picker.js";
import { allTiles, state, subscribe, update } from "./store.js";
import { FLOWERS, face, spokenName } from "./tiles.js";

const FRAME_MS = 125; // between two pictures while something moves
const LIVELY_MS = 3000; // pictures go on for so long after the last movement
const REFRESH_MS = 2000; // a picture at least so often
const HELLO_MS = 600; // a sign of life at least so often
const STANDBY_MS = 1500;
const TIMEOUT_MS = 2000;
const LOST_MS = 1500; // without an answer for so long, the page says so
const RETRY_MS = 400;
const PHOTO_SIDE = 2560;
const PHOTO_TRIES = 24;
const PHOTO_VOTES = 10;
const SIDE_KEY = "youjin.phone.side";
const ID_KEY = "youjin.phone.id";

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const now = () => performance.now();

/** This phone's name: the same after a reload, another one in every tab. */
const phone = (() => {
  const made = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const kept = sessionStorage.getItem(ID_KEY);
    if (kept) return kept;
    sessionStorage.setItem(ID_KEY, made);
  } catch {
    // Private windows may refuse storage; a new name does as well.
  }
  return made;
})();

const video = $("#view video");
const photo = $("#view img");
const overlay = $("#view svg");
const sides = $("#side");
const lamp = $("#lamp");

const me = {
  wanted: false, // the owner pressed "Start"
  running: false,
  role: "camera",
  answered: 0,
  lost: false,
  slow: 0, // steps by which pictures are made smaller on a slow network
  photo: null,
  problem: null,
};

const camera = new Camera(video, () => {
  // A phone call took the camera, or the system did.
  stop({ keep: true });
  if (document.visibilityState === "visible") start();
});

// --- talking to the computer ------------------------------------------------------------------------------------------

async function talk(request, timeout = TIMEOUT_MS) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  const began = now();
  try {
    const answer = await request(abort.signal);
    me.answered = now();
    const took = me.answered - began;
    me.slow = Math.min(3, Math.max(0, me.slow + (took > 900 ? 1 : took < 300 ? -0.1 : 0)));
    take(answer);
    return true;
  } catch (failure) {
    if (failure.name === "AbortError") me.slow = Math.min(me.slow + 1, 3);
    else if (!(failure instanceof ApiFailure)) throw failure;
    else if (failure.status === 413) me.slow = Math.min(me.slow + 1, 3);
    else if (failure.status !== 0 && failure.status !== 422 && failure.status < 500) giveUp(failure);
    if (failure.status === 422) me.answered = now();
    return failure.status === 422;
  } finally {
    clearTimeout(timer);
    connection();
  }
}

const version = () => state.live?.version ?? -1;
const hello = (begin = false) => talk((signal) => post("/api/phone/hello", { phone, start: begin, version: version() }, signal));
const bye = () => fetch("/api/phone/bye", { method: "POST", keepalive: true, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ phone }) }).catch(() => {});
const picture = (blob, alone = false) => (signal) => send(`/api/phone/frame?phone=${phone}&version=${version()}${alone ? "&photo=1" : ""}`, blob, blob.type || "image/jpeg", signal);

function take(answer) {
  me.role = answer.role;
  me.wish = answer.want;
  const { seen } = answer;
  if (seen) update({ live: seen, hand: seen.hand, tiles: seen.tiles, problems: seen.problems, answer: seen.answer, error: seen.error, settings: { ...state.settings, ...seen.settings } });
  else update();
}

/** The computer does not want this phone: not paired any more, or another camera. */
function giveUp(failure) {
  stop();
  if (failure.error.code === "other_camera") page.camera = false;
  me.problem = whole(failure.error);
  update();
}

/** Say at once when the computer cannot be reached. */
function connection() {
  const lost = me.running && now() - me.answered > LOST_MS;
  if (lost === me.lost) return;
  me.lost = lost;
  update();
}
setInterval(connection, 250);

// --- the loop ---------------------------------------------------------------------------------------------------------

let turn = 0;

async function run() {
  const mine = ++turn;
  let sent = -Infinity; // the last picture
  let spoke = -Infinity; // the last word of any kind
  let moving = now();
  let force = true;
  while (me.running && mine === turn) {
    const time = now();
    let good = true;
    if (me.role === "standby") {
      if (time - spoke > STANDBY_MS) {
        good = await hello();
        spoke = now();
        force = true;
      }
      await sleep(200);
    } else {
      if (camera.moved()) moving = time;
      const due = time - sent > (time - moving < LIVELY_MS ? FRAME_MS : REFRESH_MS);
      if (camera.ready && (force || me.wish || due)) {
        const blob = await camera.take(Number(sides.value) * 0.8 ** me.slow, 0.82 - 0.06 * me.slow);
        if (!me.running || mine !== turn) return;
        if (blob) good = await talk(picture(blob));
        sent = spoke = now();
        force = false;
      } else if (time - spoke > HELLO_MS) {
        good = await hello();
        spoke = now();
      }
      await sleep(time - moving < LIVELY_MS ? 30 : 180);
    }
    if (!good) {
      // The computer must see what lies here now, as soon as it is back; a small word finds that out fastest.
      force = true;
      spoke = -Infinity;
      await sleep(RETRY_MS);
      if (me.running && mine === turn && !(await hello())) await sleep(RETRY_MS);
    }
  }
}

/** Somebody chose another camera on the computer's page; the owner of this phone wants it to be the camera. */
async function becomeCamera() {
  try {
    await post("/api/source", { spec: "phone" });
    page.camera = true;
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    me.problem = whole(failure.error);
    update();
  }
}

async function start({ pressed = false } = {}) {
  if (pressed && !page.camera) await becomeCamera();
  if (!page.camera) return;
  const why = obstacle();
  if (why) {
    me.problem = t(why);
    update();
    return;
  }
  me.wanted = true;
  me.problem = null;
  me.photo = null;
  update();
  try {
    await camera.open(Number(sides.value));
  } catch (error) {
    me.wanted = false;
    me.problem = t(reason(error));
    camera.close();
    update();
    return;
  }
  if (document.visibilityState !== "visible") {
    camera.close();
    return;
  }
  me.running = true;
  me.answered = now();
  me.lost = false;
  update();
  if (pressed) await hello(true);
  run();
}

function stop({ keep = false } = {}) {
  const was = me.running;
  me.wanted = keep && me.wanted;
  me.running = false;
  me.lost = false;
  turn += 1;
  camera.close();
  lamp.setAttribute("aria-pressed", "false");
  if (was) bye();
  update();
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") {
    if (me.running) stop({ keep: true });
  } else if (me.wanted && !me.running) {
    start();
  }
});
addEventListener("pagehide", () => me.running && stop({ keep: true }));

// --- buttons ----------------------------------------------------------------------------------------------------------

$("#start").addEventListener("click", () => (me.running ? stop() : start({ pressed: true })));
$("#take-over").addEventListener("click", () => hello(true));

lamp.addEventListener("click", async () => {
  const on = lamp.getAttribute("aria-pressed") !== "true";
  try {
    await camera.light(on);
    lamp.setAttribute("aria-pressed", String(on));
  } catch {
    lamp.hidden = true; // it said that it could
  }
});

try {
  const kept = localStorage.getItem(SIDE_KEY);
  if (kept && [...sides.options].some((option) => option.value === kept)) sides.value = kept;
} catch {
  // Private windows may refuse storage.
}
sides.addEventListener("change", () => {
  try {
    localStorage.setItem(SIDE_KEY, sides.value);
  } catch {
    // Chosen for this time only.
  }
  if (me.running) {
    stop({ keep: true });
    start();
  }
});

for (const input of document.querySelectorAll("input[type=file][data-photo]")) {
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (me.running) stop();
    me.problem = null;
    me.busy = true;
    update();
    const blob = await shrink(file, PHOTO_SIDE);
    if (me.photo) URL.revokeObjectURL(me.photo);
    me.photo = URL.createObjectURL(blob);
    try {
      const before = state.live?.frame?.version ?? 0;
      take(await picture(blob, true)());
      // Reading takes a moment, and so do the votes after it; what was read comes with the next answers.
      let more = PHOTO_TRIES;
      while (more > 0) {
        more -= 1;
        await sleep(250);
        take(await post("/api/phone/hello", { phone, start: false, version: version() }));
        if ((state.live?.frame?.version ?? 0) === before) continue;
        if (me.busy) more = PHOTO_VOTES;
        me.busy = false;
        update();
        if (!allTiles(state.hand).some(doubtful)) break;
      }
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure;
      URL.revokeObjectURL(me.photo);
      me.photo = null;
      me.problem = whole(failure.error);
    }
    me.busy = false;
    update();
  });
}

async function correct(item) {
  const where = state.tiles.find((tile) => tile.id === item.id) ?? item;
  if (where.id === null || where.id === undefined) return;
  const { gold } = state.hand;
  const { rules } = state.settings;
  const actions = [];
  if (where.pinned) actions.push({ value: "unpin", label: t("unpin") });
  if (where.tile) actions.push({ value: "facedown", label: t("lies_face_down") });
  actions.push({ value: "nothing", label: t("no_tile_here") });
  const choice = await pickTile({ title: t("which_tile", { tile: spokenName(where.tile, gold, rules) }), current: where.tile, alternatives: where.alternatives ?? [], actions, gold, rules });
  if (!choice) return;
  if (choice.action === "unpin") await tell("/api/live/unpin", { id: where.id });
  else await tell("/api/live/pin", { id: where.id, tile: choice.tile ?? null, nothing: choice.action === "nothing" });
}

/** Tell the computer what its owner says, and show what it makes of it. */
async function tell(path, value) {
  try {
    await post(path, value);
    await hello();
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    me.problem = whole(failure.error);
    update();
  }
}

// --- drawing the page -------------------------------------------------------------------------------------------------

const doubtful = (item) => (item.certain ?? item.settled) === false && !item.pinned;

function strip(selector, items) {
  const { gold } = state.hand;
  const { rules } = state.settings;
  reconcile(
    $(selector),
    items,
    (item) => item.id ?? `n${items.indexOf(item)}`,
    () => {
      const button = h("button", { type: "button", class: "tile", onclick: () => correct(button.item) });
      return button;
    },
    (button, item) => {
      button.item = item;
      const signature = `${item.tile}|${gold}|${rules}|${doubtful(item)}`;
      if (button.dataset.signature === signature) return;
      button.dataset.signature = signature;
      button.dataset.code = item.tile ?? "back";
      button.className = ["tile", doubtful(item) ? "unsettled" : "", item.tile && item.tile === gold ? "is-gold" : ""].filter(Boolean).join(" ");
      const name = spokenName(item.tile, gold, rules);
      button.setAttribute("aria-label", doubtful(item) ? t("unsure_tile", { tile: name }) : name);
      button.replaceChildren(...face(item.tile, { gold, rules, alt: "" }), ...(doubtful(item) ? [h("span", { class: "doubt", "aria-hidden": "true" }, "?")] : []));
    },
  );
}

const goldButton = $("#gold");
goldButton.addEventListener("click", async () => {
  const { rules } = state.settings;
  const choice = await pickTile({ title: t("choose_gold"), current: state.hand.gold, exclude: FLOWERS, actions: state.hand.gold ? [{ value: "none", label: t("clear_gold") }] : [], rules });
  if (choice) await tell("/api/live/context", { gold: choice.tile ?? null });
});

function renderGold() {
  const game = page.rules[state.settings.rules];
  const code = game.gold === "flipped" ? state.hand.gold : game.gold;
  $("#seen [data-group=gold]").hidden = !game.gold;
  goldButton.disabled = game.gold !== "flipped" || !state.live;
  const signature = `${code}|${state.settings.rules}`;
  if (goldButton.dataset.signature === signature) return;
  goldButton.dataset.signature = signature;
  goldButton.className = code ? "tile is-gold" : "tile slot";
  goldButton.setAttribute("aria-label", code ? t("gold_is", { tile: spokenName(code, null, "") }) : t("choose_gold"));
  goldButton.replaceChildren(...(code ? face(code, { gold: code, rules: state.settings.rules, alt: "" }) : [h("span", { class: "slot-mark", "aria-hidden": "true" }, "金")]));
}

function renderHand() {
  const { hand } = state;
  const groups = { concealed: hand.concealed, drawn: hand.drawn ? [hand.drawn] : [], melds: hand.melds.flatMap((meld) => meld.tiles), flowers: hand.flowers };
  for (const [name, items] of Object.entries(groups)) {
    strip(`#seen [data-row=${name}]`, items);
    $(`#seen [data-group=${name}]`).hidden = items.length === 0;
  }
  renderGold();
  $("#seen").dataset.tiles = String(allTiles(hand).length);
}

function renderBoxes() {
  const frame = state.live?.frame;
  const shown = (me.running && me.role === "camera" && !me.lost) || (me.photo && !me.busy);
  if (!frame || !shown || !$("#boxes").checked) {
    overlay.replaceChildren();
    return;
  }
  setAttributes(overlay, { viewBox: `0 0 ${frame.width} ${frame.height}` });
  const scale = Math.max(frame.width / Math.max(overlay.clientWidth, 1), frame.height / Math.max(overlay.clientHeight, 1));
  const boxes = state.tiles.filter((tile) => tile.tile);
  reconcile(overlay, boxes, (tile) => tile.id, () => s("g", {}, s("rect", { class: "box" }), s("text", { class: "label" })), (node, tile) => {
    const [left, top, right, bottom] = tile.box;
    const [box, label] = node.children;
    node.setAttribute("class", `box-group ${doubtful(tile) ? "unsettled" : ""} ${tile.area ?? ""}`.trim());
    setAttributes(box, { x: left, y: top, width: right - left, height: bottom - top, rx: 3 * scale, "stroke-width": 2 * scale });
    const { text, size } = fittedLabel(tile.tile, doubtful(tile), right - left, 12 * scale);
    setAttributes(label, { x: (left + right) / 2, y: top > 16 * scale ? top - 4 * scale : bottom + 13 * scale, "font-size": size, "text-anchor": "middle", "stroke-width": 3 * scale });
    if (label.textContent !== text) label.textContent = text;
  });
}

let spoken = "";

/** The one sentence: what this phone is doing, or what the hand may do. */
function renderSentence() {
  let line;
  const reading = me.running || me.photo;
  if (me.problem) line = { tone: "trouble", text: [me.problem] };
  else if (me.lost) line = { tone: "trouble", text: [t("phone_lost")] };
  else if (me.busy) line = { tone: "plain", text: [t("phone_reading")] };
  else if (!reading) line = { tone: "plain", text: [t(me.wanted ? "connecting" : "phone_ready")] };
  else if (me.role === "standby") line = { tone: "ask", text: [t("phone_standby")] };
  else line = sentence();
  const signature = `${line.tone}|${line.text.map((part) => part.outerHTML ?? part).join("")}|${line.more ?? ""}`;
  if (signature === spoken) return;
  spoken = signature;
  const box = $("#status");
  box.className = `status tone-${line.tone}`;
  box.replaceChildren(h("p", { class: "status-main" }, line.text), line.more ? h("p", { class: "status-more" }, line.more) : "");
}

function renderView() {
  const root = document.documentElement;
  root.dataset.camera = me.problem ? "problem" : me.lost ? "lost" : me.running ? me.role : me.photo ? "photo" : me.wanted ? "starting" : "off";
  root.dataset.version = state.live?.version ?? "";
  video.hidden = !me.running;
  photo.hidden = !me.photo || me.running;
  if (me.photo && photo.getAttribute("src") !== me.photo) photo.src = me.photo;
  $("#view .view-empty").hidden = me.running || Boolean(me.photo);
  const { width, height } = me.running && video.videoWidth ? { width: video.videoWidth, height: video.videoHeight } : (me.photo && state.live?.frame) || { width: 4, height: 3 };
  $("#view").style.aspectRatio = `${width} / ${height}`;
  const button = $("#start");
  button.textContent = t(me.running ? "phone_stop" : "phone_start");
  button.className = `button ${me.running ? "" : "button-primary"}`;
  lamp.hidden = !camera.hasLight;
  $("#take-over").hidden = !(me.running && me.role === "standby");
  const pill = $("#source");
  const label = me.lost ? "lost" : me.running ? (me.role === "standby" ? "held" : "live") : "manual";
  pill.dataset.state = label;
  $("[data-source-text]", pill).textContent = t({ lost: "source_lost", live: "phone_sending", held: "phone_waiting", manual: "phone_off" }[label]);
  $("#view").setAttribute("aria-label", me.running && state.tiles.length ? state.tiles.filter((tile) => tile.tile).map((tile) => tileName(tile.tile)).join(", ") : t("phone_view"));
  const problems = me.running || me.photo ? state.problems.map(whole) : [];
  const list = $("#problems");
  if (list.dataset.text !== problems.join("|")) {
    list.dataset.text = problems.join("|");
    list.hidden = problems.length === 0;
    list.replaceChildren(...problems.map((text) => h("p", {}, text)));
  }
}

subscribe(() => {
  renderView();
  renderSentence();
  renderHand();
  renderBoxes();
});
$("#boxes").addEventListener("change", () => update());
video.addEventListener("resize", () => update()); // the phone was turned
new ResizeObserver(() => update()).observe($("#view"));

if (!page.camera) {
  me.problem = whole(page.other_camera);
  $("#start").disabled = !page.phones;
} else if (obstacle()) {
  me.problem = t(obstacle());
}
update();
document.documentElement.dataset.ready = "true";
