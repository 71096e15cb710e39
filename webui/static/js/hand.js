// The hand on its green cloth: gold, melds, concealed tiles, the drawn one apart, flowers.

import { $, h, reconcile } from "./dom.js";
import { t } from "./i18n.js";
import { page } from "./i18n.js";
import { face, spokenName } from "./tiles.js";
import { questioned, state } from "./store.js";

const keyOf = (list) => (item) => item.id ?? `n${list.indexOf(item)}`;

export class HandView {
  /** @param on {tile(item), gold(), meld(meld), addTile(), addMeld(), addFlower()} */
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.rows = Object.fromEntries([...root.querySelectorAll("[data-row]")].map((node) => [node.dataset.row, node]));
  }

  button(item) {
    const button = h("button", { type: "button", class: "tile", onclick: () => this.on.tile(button.item) });
    button.item = item;
    return button;
  }

  fill(button, item) {
    button.item = item;
    const { gold } = state.hand;
    const { rules } = state.settings;
    const unsettled = item.certain === false && !item.pinned;
    const asked = item.id !== null && this.questioned.has(item.id);
    const signature = `${item.tile}|${gold}|${rules}|${unsettled}|${asked}|${item.pinned}`;
    if (button.dataset.signature === signature) return;
    button.dataset.signature = signature;
    button.dataset.code = item.tile ?? "back";
    button.className = ["tile", unsettled ? "unsettled" : "", asked ? "questioned" : "", item.pinned ? "pinned" : "", item.tile && item.tile === gold ? "is-gold" : ""].filter(Boolean).join(" ");
    const name = spokenName(item.tile, gold, rules);
    button.setAttribute("aria-label", unsettled ? t("unsure_tile", { tile: name }) : name);
    button.replaceChildren(...face(item.tile, { gold, rules, alt: "" }), ...(unsettled ? [h("span", { class: "doubt", "aria-hidden": "true" }, "?")] : []));
  }

  row(name, items) {
    reconcile(this.rows[name], items, keyOf(items), (item) => this.button(item), (button, item) => this.fill(button, item));
  }

  render() {
    const { hand, settings } = state;
    this.questioned = questioned();
    const game = page.rules[settings.rules];
    this.row("concealed", hand.concealed);
    this.row("drawn", hand.drawn ? [hand.drawn] : []);
    this.row("flowers", hand.flowers);
    $(".group-flowers", this.root).hidden = !game.flowers && hand.flowers.length === 0;
    $(".group-drawn", this.root).hidden = !hand.drawn;
    $(".group-melds", this.root).hidden = hand.melds.length === 0;
    reconcile(
      this.rows.melds,
      hand.melds,
      (meld) => hand.melds.indexOf(meld),
      () => h("div", { class: "meld", role: "group" }, h("div", { class: "row" }), h("button", { type: "button", class: "meld-kind", onclick: (event) => this.on.meld(event.currentTarget.meld) })),
      (node, meld) => {
        const [row, kind] = node.children;
        reconcile(row, meld.tiles, keyOf(meld.tiles), (item) => this.button(item), (button, item) => this.fill(button, item));
        kind.meld = meld;
        const label = meld.from ? t("meld_from", { kind: t(`meld_${meld.kind}`), seat: meld.from }) : t(`meld_${meld.kind}`);
        if (kind.textContent !== label) kind.textContent = label;
        kind.setAttribute("aria-label", t("edit_meld", { meld: label }));
      },
    );
    this.renderGold(game);
    $(".empty-hand", this.root).hidden = hand.concealed.length + hand.melds.length + (hand.drawn ? 1 : 0) > 0;
    $("[data-count]", this.root).textContent = hand.concealed.length || hand.drawn ? t("tile_count", { n: hand.concealed.length + (hand.drawn ? 1 : 0) }) : "";
  }

  renderGold(game) {
    const group = $(".group-gold", this.root);
    group.hidden = !game.gold;
    if (!game.gold) return;
    const code = game.gold === "flipped" ? state.hand.gold : game.gold;
    const button = $("[data-gold]", group);
    button.disabled = game.gold !== "flipped";
    const unsure = Boolean(code) && state.hand.gold_certain === false;
    const signature = `${code}|${unsure}|${state.settings.rules}`;
    if (button.dataset.signature === signature) return;
    button.dataset.signature = signature;
    button.className = code ? `tile is-gold${unsure ? " unsettled" : ""}` : "tile slot";
    button.dataset.code = code ?? "";
    const name = code ? t("gold_is", { tile: spokenName(code, null, "") }) : t("choose_gold");
    button.setAttribute("aria-label", unsure ? t("unsure_tile", { tile: name }) : name);
    const doubt = unsure ? [h("span", { class: "doubt", "aria-hidden": "true" }, "?")] : [];
    button.replaceChildren(...doubt, ...(code ? face(code, { gold: code, rules: state.settings.rules, alt: "" }) : [h("span", { class: "slot-mark", "aria-hidden": "true" }, "金")]));
  }
}
