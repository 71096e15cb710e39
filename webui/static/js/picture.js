// The picture with its boxes.

import { $, reconcile, s, setAttributes } from "./dom.js";
import { t, tileName } from "./i18n.js";
import { fittedLabel, PADDING } from "./labels.js";
import { questioned, state } from "./store.js";
import { Zoom, zoomButtons } from "./zoom.js";

const LABEL_PX = 13;

export class Picture {
  /** @param {HTMLElement} root the card; @param {(tile) => void} onTile called with the box that was tapped */
  constructor(root, onTile) {
    this.root = root;
    this.image = $("img", root);
    this.svg = $("svg.overlay", root);
    this.frame = $(".picture-frame", root);
    this.empty = $(".picture-empty", root);
    this.onTile = onTile;
    this.url = null; // of the picture that is to be seen
    this.tiles = []; // the boxes that lie on it
    this.loader = null;
    const update = () => {
      show();
      this.draw();
    };
    this.zoom = new Zoom(this.frame, $(".picture-stage", root), update);
    this.buttons = $(".zoom-buttons", root);
    const show = zoomButtons(root, this.zoom);
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }

  /**
   * Load the newest picture out of sight and show it together with its boxes: they never lie on another picture. One
   * loads at a time; when it is there, the newest one is next.
   */
  async load() {
    if (this.loader || !state.picture || state.picture.url === this.url) return;
    const { url } = state.picture;
    let { tiles } = state;
    this.loader = new Image();
    this.loader.src = url;
    let shown = true;
    try {
      await this.loader.decode();
    } catch {
      shown = false; // the camera has gone on, and the program keeps its last pictures only
    }
    this.loader = null;
    if (!state.picture) return;
    if (shown) {
      if (state.picture.url === url) tiles = state.tiles;
      this.url = url;
      this.tiles = tiles;
      this.image.src = url;
      this.draw();
    }
    if (state.picture.url !== url) this.load();
  }

  render() {
    const { picture } = state;
    this.empty.hidden = Boolean(picture);
    this.image.hidden = !picture;
    this.buttons.hidden = !picture;
    if (!picture && this.zoom.scale > 1) this.zoom.whole();
    this.svg.toggleAttribute("hidden", !picture);
    if (picture) {
      this.frame.style.aspectRatio = `${picture.width} / ${picture.height}`;
      this.load();
    } else {
      this.url = null;
      this.tiles = [];
      this.frame.style.removeProperty("aspect-ratio");
    }
    this.draw();
  }

  draw() {
    const { picture } = state;
    if (picture?.url === this.url) this.tiles = state.tiles;
    if (!picture) {
      this.svg.replaceChildren();
      return;
    }
    setAttributes(this.svg, { viewBox: `0 0 ${picture.width} ${picture.height}` });
    const scale = Math.max(picture.width / Math.max(this.frame.clientWidth, 1), picture.height / Math.max(this.frame.clientHeight, 1)) / this.zoom.scale;
    const asked = questioned();
    reconcile(this.svg, this.tiles, (tile) => tile.id, (tile) => this.create(tile.id), (node, tile) => this.place(node, tile, scale, asked.has(tile.id)));
  }

  create(id) {
    const open = () => {
      const tile = state.tiles.find((item) => item.id === id) ?? this.tiles.find((item) => item.id === id);
      if (tile) this.onTile(tile);
    };
    return s(
      "g",
      {
        role: "button",
        tabindex: "0",
        onclick: open,
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            open();
          }
        },
      },
      s("rect", { class: "box" }),
      s("rect", { class: "label-back" }),
      s("text", { class: "label" }),
    );
  }

  place(node, tile, scale, asked) {
    const [left, top, right, bottom] = tile.box;
    const [box, back, label] = node.children;
    const unsettled = !tile.settled && !tile.pinned;
    node.setAttribute("class", ["box-group", tile.area ?? "", unsettled ? "unsettled" : "", asked ? "questioned" : "", tile.pinned ? "pinned" : "", tile.tile ? "" : "facedown"].join(" ").trim());
    node.setAttribute("aria-label", unsettled ? t("unsure_tile", { tile: tileName(tile.tile) }) : tileName(tile.tile));
    // Walls are many: a tile lying face down can be tapped, but is no stop for the keyboard and no news for a reader.
    setAttributes(node, tile.tile || tile.pinned ? { tabindex: "0", "aria-hidden": null } : { tabindex: "-1", "aria-hidden": "true" });
    setAttributes(box, { x: left, y: top, width: right - left, height: bottom - top, rx: 4 * scale, "stroke-width": 2 * scale });
    const { text, size, width: written } = fittedLabel(tile.tile, unsettled, right - left, LABEL_PX * scale);
    const width = written + PADDING * size;
    const x = (left + right) / 2;
    const above = top - size * 1.35 >= 0;
    const y = above ? top - size * 1.3 : bottom + size * 0.1;
    const display = text ? null : "none";
    setAttributes(back, { x: x - width / 2, y, width, height: size * 1.25, rx: 3 * scale, display });
    setAttributes(label, { x, y: y + size * 0.98, "font-size": size, "text-anchor": "middle", display });
    if (label.textContent !== text) label.textContent = text;
  }

  /** The piece of the picture a tile was read from, on a canvas; `null` when there is none. */
  crop(tile) {
    if (!tile?.box || !state.picture || !this.image.complete || !this.image.naturalWidth) return null;
    const factor = this.image.naturalWidth / state.picture.width;
    const [left, top, right, bottom] = tile.box;
    const margin = 0.12 * Math.max(right - left, bottom - top);
    const [x, y] = [Math.max(0, left - margin), Math.max(0, top - margin)];
    const [w, h] = [right - left + 2 * margin, bottom - top + 2 * margin];
    const canvas = document.createElement("canvas");
    const zoom = 160 / Math.max(w, h);
    canvas.width = Math.round(w * zoom);
    canvas.height = Math.round(h * zoom);
    canvas.getContext("2d").drawImage(this.image, x * factor, y * factor, w * factor, h * factor, 0, 0, canvas.width, canvas.height);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", t("as_seen"));
    return canvas;
  }
}
