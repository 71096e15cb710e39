// Teaching the program a set of tiles: row by row, from the camera or from photos; the learned sets; undo.

import "./prefs.js";
import { ApiFailure, get, post, put, sendPicture } from "./api.js";
import { $, h, s } from "./dom.js";
import { lang, pick, t, tileName, tileShort, whole } from "./i18n.js";
import { tile as tileView } from "./tiles.js";

const FRAME_MS = 900;
const percent = (share) => `${Math.round(share * 100)} %`;
const day = new Intl.DateTimeFormat({ zh: "zh-Hans", zh_hant: "zh-Hant", en: "en-GB" }[lang], { dateStyle: "medium", timeStyle: "short" });
/** A tile's code for the drawings, which know a tile face down as nothing. */
const code = (name) => (name === "back" || name === "none" ? null : name);
const called = (name) => (name === "none" ? t("cal_nothing") : tileName(code(name)));

const camera = $("main").dataset.camera === "yes";
const picture = $("#picture");
const overlay = $("#overlay");
const trouble = $("#trouble");
const said = $("#said");

let known = null; // what the server said last
let current = 0; // the row that is asked for
let shot = null; // the picture that was looked at and not taken yet

/** Do something that may fail; says why, and answers `null` then. */
async function ask(promise) {
  try {
    trouble.hidden = true;
    return await promise;
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    trouble.textContent = whole(failure.error);
    trouble.hidden = false;
    trouble.scrollIntoView({ block: "nearest" });
    return null;
  }
}

function say(text, tone = "plain") {
  said.hidden = !text;
  said.textContent = text;
  said.className = `cal-said tone-${tone}`;
}

// --- the rows ------------------------------------------------------------------------------------------------------

function show(state) {
  if (!state) return;
  known = state;
  if (state.trouble) {
    trouble.textContent = pick(state.trouble);
    trouble.hidden = false;
  }
  $("#steps").replaceChildren(
    ...state.steps.map((step, index) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: `cal-chip${step.taken ? " is-taken" : ""}`,
            "aria-current": index === current ? "step" : false,
            onclick: () => go(index),
          },
          tileView(code(step.tiles[0]), { class: "tile-inline", alt: "" }),
          h("span", {}, pick(step.title)),
          step.taken ? h("span", { class: "cal-mark" }, step.taken > 1 ? t("cal_taken", { n: step.taken }) : t("cal_taken_once")) : null,
        ),
      ),
    ),
  );
  $("#finish").hidden = !state.steps.some((step) => step.taken);
  sets(state);
}

function go(index) {
  current = index;
  shot = null;
  const step = known.steps[index];
  $("#step-title").textContent = pick(step.title);
  $("#step-hint").textContent = pick(step.hint);
  $("#asked").replaceChildren(...step.tiles.map((name) => tileView(code(name), { class: "tile-inline", alt: called(name) })));
  say("");
  check(false);
  show(known);
}

/** Show the tools for looking, or those for what was looked at. */
function check(looked) {
  $("#tools-look").hidden = looked;
  $("#tools-check").hidden = !looked;
  if (looked) return;
  overlay.setAttribute("hidden", "");
  $("#view").hidden = !camera;
  if (!camera) picture.hidden = true;
}

/** The next row that was not taken yet; the last stays. */
function next() {
  const following = [...known.steps.keys()].filter((index) => index !== current && !known.steps[index].taken);
  go(following.find((index) => index > current) ?? following[0] ?? current);
}

// --- looking for a row ---------------------------------------------------------------------------------------------

async function look(request) {
  say(t("cal_looking"));
  for (const button of document.querySelectorAll(".cal-tools button")) button.disabled = true;
  const found = await ask(request);
  for (const button of document.querySelectorAll(".cal-tools button")) button.disabled = false;
  if (!found) {
    say("");
    return;
  }
  shot = found;
  draw(found);
  check(true);
  $("#take").hidden = Boolean(found.problem);
  $("#turn").hidden = Boolean(found.problem) || found.tiles.length < 2;
  if (found.problem) say(whole(found.problem), "trouble");
  else if (found.warning) say(pick(found.warning), "ask");
  else say(t("cal_row_ok"));
  $(found.problem ? "#retake" : "#take").focus();
}

function draw({ shot: name, width, height, tiles }) {
  picture.src = `/calibrate/${name}.jpg`;
  picture.hidden = false;
  $("#view").hidden = false;
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const size = tiles.length ? Math.max(14, (tiles[0].box[2] - tiles[0].box[0]) * 0.36) : 20;
  overlay.replaceChildren(
    ...tiles.flatMap(({ tile, box: [left, top, right, bottom], doubtful }) => {
      const label = s("text", { x: (left + right) / 2, y: Math.max(size, top - size * 0.3), "font-size": size, class: doubtful ? "is-doubtful" : "" });
      label.textContent = tileShort(code(tile));
      return [s("rect", { x: left, y: top, width: right - left, height: bottom - top, class: doubtful ? "is-doubtful" : "" }), label];
    }),
  );
  overlay.removeAttribute("hidden");
}

$("#look")?.addEventListener("click", () => look(post("/api/calibration/look", { step: known.steps[current].key })));
$("#photo").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  if (file) look(sendPicture("/api/calibration/look", file, { step: known.steps[current].key }));
  target.value = "";
});
let turned = false;
$("#turn").addEventListener("click", () => {
  turned = !turned;
  look(post("/api/calibration/look", { step: known.steps[current].key, shot: shot.shot, turned }));
});
$("#retake").addEventListener("click", () => go(current));
$("#skip").addEventListener("click", next);
$("#take").addEventListener("click", async () => {
  const state = await ask(post("/api/calibration/take", { shot: shot.shot }));
  if (!state) return;
  known = state;
  next();
});

/** The camera's newest picture, while nothing is looked at. */
async function follow() {
  for (;;) {
    if (!shot && document.visibilityState === "visible") {
      const loaded = await new Promise((done) => {
        const image = new Image();
        image.onload = () => done(image);
        image.onerror = () => done(null);
        image.src = `/live/frame.jpg?t=${Date.now()}`;
      });
      if (loaded && !shot) {
        picture.src = loaded.src;
        picture.hidden = false;
      }
    }
    await new Promise((done) => setTimeout(done, FRAME_MS));
  }
}

// --- learning, and what was learned --------------------------------------------------------------------------------

async function learn(request) {
  const button = $("#learn button[type=submit]");
  button.disabled = true;
  say(t("cal_learning"));
  const answer = await ask(request);
  button.disabled = false;
  say("");
  if (!answer) return;
  current = 0;
  known = answer.state;
  go(0);
  say(t("cal_learned", { name: answer.profile.name }));
  const card = [...$("#sets").children].find((node) => node.dataset.name === answer.profile.name);
  if (card) {
    $("details", card).open = true;
    card.scrollIntoView({ block: "nearest" });
  }
}

$("#learn").addEventListener("submit", (event) => {
  event.preventDefault();
  learn(post("/api/calibration/learn", { name: $("#name").value }));
});
$("#drop").addEventListener("click", async () => {
  const state = await ask(post("/api/calibration/drop", {}));
  if (!state) return;
  known = state;
  go(0);
});

function sets({ profiles, active, damaged }) {
  const use = (name) => async () => show(await ask(put("/api/calibration/active", { name })));
  const choice = (name, label) =>
    active === name
      ? h("span", { class: "cal-mark" }, t("cal_in_use"))
      : h("button", { type: "button", class: "button", "aria-label": `${t("cal_use")}: ${label}`, onclick: use(name) }, t("cal_use"));
  $("#sets").replaceChildren(
    h("li", { class: "card cal-set" }, h("div", { class: "cal-set-head" }, h("strong", {}, t("cal_none_name")), choice(null, t("cal_none_name")))),
    ...profiles.map((profile) =>
      h(
        "li",
        { class: "card cal-set", "data-name": profile.name },
        h(
          "div",
          { class: "cal-set-head" },
          h("strong", {}, profile.name),
          h("span", { class: "muted" }, t("cal_kinds", { n: profile.covered.length }), " · ", h("time", { datetime: profile.made }, day.format(new Date(profile.made)))),
          choice(profile.name, profile.name),
          h("button", { type: "button", class: "button", onclick: () => learn(post("/api/calibration/learn", { again: profile.name })) }, t("cal_again")),
          h("button", { type: "button", class: "button button-quiet", onclick: async () => show(await ask(post("/api/calibration/remove", { name: profile.name }))) }, t("delete")),
        ),
        h(
          "details",
          {},
          h("summary", {}, t("cal_confuses")),
          h("p", {}, t("cal_hard", { before: percent(profile.right_before), after: percent(profile.right_after) }), " ", h("span", { class: "muted" }, t(profile.held_out ? "cal_hard_held" : "cal_hard_hopeful"))),
          profile.confusions.length ? table(profile.confusions) : h("p", {}, t("cal_no_confusion")),
        ),
      ),
    ),
    ...damaged.map((text) => h("li", { class: "card-note tone-trouble" }, pick(text))),
  );
}

function table(confusions) {
  const face = (name) => [name === "none" ? null : tileView(code(name), { class: "tile-inline", alt: "" }), " ", called(name)];
  return h(
    "table",
    { class: "cal-table" },
    h("thead", {}, h("tr", {}, ...["cal_shown", "cal_read_as", "cal_before", "cal_after"].map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", {}, ...confusions.map(({ shown, read_as: readAs, before, after }) => h("tr", {}, h("td", {}, face(shown)), h("td", {}, face(readAs)), h("td", {}, percent(before)), h("td", {}, percent(after))))),
  );
}

known = await ask(get("/api/calibration"));
if (known) go(0);
document.documentElement.dataset.ready = "true";
if (camera) follow();
