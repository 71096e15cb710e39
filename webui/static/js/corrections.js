// The kept pictures: whether they may be kept, what they show, and deleting them.

import "./prefs.js";
import { ApiFailure, get, put, remove } from "./api.js";
import { $, h, s } from "./dom.js";
import { lang, t, tileName, whole } from "./i18n.js";
import { tile as tileView } from "./tiles.js";

const list = $("#kept");
const consent = $("#consent");
const trouble = $("#trouble");

const day = new Intl.DateTimeFormat({ zh: "zh-Hans", zh_hant: "zh-Hant", en: "en-GB" }[lang], { dateStyle: "medium", timeStyle: "short" });

async function ask(promise) {
  try {
    trouble.hidden = true;
    show(await promise);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    trouble.textContent = whole(failure.error);
    trouble.hidden = false;
  }
}

function show({ consent: agreed, folder, pictures }) {
  consent.disabled = false;
  consent.checked = agreed === true;
  $("#folder").textContent = folder;
  $("#command-evaluate").textContent = `youjin evaluate "${folder}"`;
  const calibrate = $("#command-calibrate");
  if (calibrate) calibrate.textContent = `youjin calibrate "${folder}" --name "${t("my_set")}"`;
  $("#kept-title").textContent = t("kept_count", { n: pictures.length });
  $("#kept-tools").hidden = !pictures.length;
  $("#kept-none").hidden = pictures.length > 0;
  list.replaceChildren(...pictures.map(card));
}

function card(one) {
  const image = h("img", { src: `/corrections/${one.name}.jpg?small`, alt: t("kept_picture", { n: one.tiles.length }), loading: "lazy" });
  const overlay = s("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { tile, box } of one.tiles) {
    const [left, top, right, bottom] = box;
    const title = s("title");
    title.textContent = tileName(tile);
    overlay.append(s("rect", { x: left, y: top, width: right - left, height: bottom - top, class: tile ? "" : "facedown" }, title));
  }
  const named = one.named.filter(Boolean);
  return h(
    "li",
    { class: "card kept-one", "data-name": one.name },
    h("a", { class: "kept-picture", href: `/corrections/${one.name}.jpg`, target: "_blank", rel: "noopener" }, image, overlay),
    h(
      "div",
      { class: "kept-about" },
      h("p", {}, one.made ? h("time", { datetime: one.made }, day.format(new Date(one.made))) : null, " ", h("span", { class: "muted" }, t("tile_count", { n: one.tiles.length }))),
      named.length ? h("p", { class: "kept-named" }, t("kept_named"), " ", named.map((code) => tileView(code, { class: "tile-inline", alt: tileName(code) }))) : null,
      h("button", { type: "button", class: "button button-quiet", onclick: () => ask(remove(`/api/corrections/${one.name}`)) }, t("delete")),
    ),
  );
}

consent.addEventListener("change", () => ask(put("/api/corrections/consent", { consent: consent.checked })));

/** Deleting all asks once more, in the same place. */
const deleteAll = $("#delete-all");
deleteAll.addEventListener("click", () => {
  const question = h(
    "span",
    { class: "really", role: "group", "aria-label": t("delete_really") },
    t("delete_really"),
    h("button", { type: "button", class: "button button-danger", onclick: async () => { question.replaceWith(deleteAll); await ask(remove("/api/corrections")); } }, t("delete")),
    h("button", { type: "button", class: "button", onclick: () => { question.replaceWith(deleteAll); deleteAll.focus(); } }, t("keep")),
  );
  deleteAll.replaceWith(question);
  $("button:last-child", question).focus();
});

await ask(get("/api/corrections"));
document.documentElement.dataset.ready = "true";
