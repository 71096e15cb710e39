// What lies where, drawn once on the picture: rectangles by dragging, other shapes corner by corner; every corner and
// every zone can be moved and removed with the keyboard as well.

import { get, put } from "./api.js";
import { $, h, s, setAttributes, soon } from "./dom.js";
import { pick, page, t } from "./i18n.js";
import { segmented } from "./fields.js";
import { state, subscribe } from "./store.js";
import { fail } from "./toast.js";

const SIDES = ["bottom", "left", "right", "top"];
const STEP = 0.01; // of the picture, for one press of an arrow key
const DRAG = 0.012; // less than that is a tap
const START = [[0.3, 0.35], [0.7, 0.35], [0.7, 0.65], [0.3, 0.65]];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const clamp = (value) => Math.min(1, Math.max(0, value));
const round = (value) => Math.round(value * 10000) / 10000;
const rectangle = ([x0, y0], [x1, y1]) => [[Math.min(x0, x1), Math.min(y0, y1)], [Math.max(x0, x1), Math.min(y0, y1)], [Math.max(x0, x1), Math.max(y0, y1)], [Math.min(x0, x1), Math.max(y0, y1)]];

/** The polygon moved as far as the picture's edges allow. */
function moved(polygon, dx, dy) {
  const limit = (values, by) => Math.min(1 - Math.max(...values), Math.max(-Math.min(...values), by));
  const [x, y] = [limit(polygon.map(([px]) => px), dx), limit(polygon.map(([, py]) => py), dy)];
  return polygon.map(([px, py]) => [px + x, py + y]);
}

export class ZoneEditor {
  /** @param card the picture's card; @param panel where the tools go */
  constructor(card, panel) {
    this.card = card;
    this.panel = panel;
    this.svg = $("[data-zones-layer]", card);
    this.open = false;
    this.zones = [];
    this.seat = null;
    this.kind = "concealed";
    this.drawing = null; // corners of a shape that is not closed yet
    this.hover = null; // the rectangle while it is dragged
    this.drag = null;
    this.save = soon(() => this.send(), 250);
    this.svg.addEventListener("pointerdown", (event) => this.down(event));
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    this.svg.addEventListener("pointerup", (event) => this.up(event));
    this.svg.addEventListener("pointercancel", () => this.cancel());
    this.svg.addEventListener("keydown", (event) => this.key(event));
    subscribe(() => this.open && this.draw());
  }

  async toggle() {
    if (this.open) {
      this.open = false;
      this.drawing = null;
      this.show();
      return;
    }
    try {
      const { zones, seat } = await get("/api/zones");
      Object.assign(this, { zones, seat, open: true });
      this.show();
      this.panel.scrollIntoView({ block: "nearest" });
    } catch (failure) {
      fail(failure);
    }
  }

  async send() {
    try {
      await put("/api/zones", { zones: this.zones, seat: this.seat });
    } catch (failure) {
      fail(failure);
    }
  }

  change(zones) {
    this.zones = zones.map(({ kind, polygon }) => ({ kind, polygon: polygon.map(([x, y]) => [round(clamp(x)), round(clamp(y))]) }));
    this.draw();
    this.list();
    this.save();
  }

  add(polygon) {
    this.change([...this.zones, { kind: this.kind, polygon }]);
    $(`[data-zone="${this.zones.length - 1}"]`, this.svg)?.focus();
  }

  // --- the tools ------------------------------------------------------------------------------------------------------

  show() {
    this.panel.hidden = !this.open;
    this.svg.toggleAttribute("hidden", !this.open);
    this.card.classList.toggle("is-zoning", this.open);
    for (const button of document.querySelectorAll("[data-act=zones]")) button.setAttribute("aria-expanded", String(this.open));
    if (!this.open) {
      this.panel.replaceChildren();
      return;
    }
    this.entries = h("ul", { class: "zone-list", "aria-label": t("zones_drawn") });
    this.close = h("button", { type: "button", class: "button", hidden: true, onclick: () => this.finish() }, t("zone_close"));
    this.panel.replaceChildren(
      segmented({ legend: t("zone_side"), name: "zone-side", value: this.seat ?? "", options: [{ value: "", label: t("side_auto") }, ...SIDES.map((side) => ({ value: side, label: t(`side_${side}`) }))], onpick: (side) => {
        this.seat = side || null;
        this.save();
      } }),
      segmented({ legend: t("zone_kind"), name: "zone-kind", value: this.kind, options: Object.entries(page.zone_kinds).map(([kind, name]) => ({ value: kind, label: pick(name) })), onpick: (kind) => {
        this.kind = kind;
        this.draw();
      } }),
      h("p", { class: "hint", id: "zone-how" }, t("zone_how")),
      h(
        "div",
        { class: "zone-tools" },
        h("button", { type: "button", class: "button", "data-zone-add": "", onclick: () => this.add(START) }, t("zone_add")),
        this.close,
        h("button", { type: "button", class: "button button-primary", onclick: () => this.toggle() }, t("done")),
      ),
      this.entries,
    );
    this.draw();
    this.list();
  }

  list() {
    this.entries.replaceChildren(
      ...this.zones.map((zone, index) =>
        h("li", { class: `zone-entry zone-${zone.kind}` }, h("span", { class: "zone-swatch", "aria-hidden": "true" }), pick(page.zone_kinds[zone.kind]), h("button", { type: "button", class: "button button-quiet", "data-zone-remove": index, "aria-label": t("zone_remove", { zone: pick(page.zone_kinds[zone.kind]) }), onclick: () => this.change(this.zones.filter((_, at) => at !== index)) }, t("delete"))),
      ),
    );
  }

  // --- on the picture -------------------------------------------------------------------------------------------------

  draw() {
    const { picture } = state;
    if (!this.open || !picture) return;
    const [width, height] = [picture.width, picture.height];
    const unit = Math.max(width / Math.max(this.svg.clientWidth, 1), height / Math.max(this.svg.clientHeight, 1));
    setAttributes(this.svg, { viewBox: `0 0 ${width} ${height}` });
    const focused = document.activeElement?.closest?.("[data-zones-layer] [data-key]")?.dataset.key;
    const points = (polygon) => polygon.map(([x, y]) => `${x * width},${y * height}`).join(" ");
    const handle = ([x, y], key, label) => s("circle", { class: "zone-handle", cx: x * width, cy: y * height, r: 12 * unit, "stroke-width": 2 * unit, tabindex: "0", role: "button", "data-key": key, "aria-label": label });
    const nodes = this.zones.flatMap((zone, index) => {
      const name = pick(page.zone_kinds[zone.kind]);
      const [x, y] = zone.polygon[0];
      const label = s("text", { class: "zone-label", x: x * width + 8 * unit, y: y * height + 20 * unit, "font-size": 15 * unit, "aria-hidden": "true" });
      label.textContent = name;
      return [
        s("polygon", { class: `zone zone-${zone.kind}`, points: points(zone.polygon), "stroke-width": 2.5 * unit, tabindex: "0", role: "button", "data-zone": index, "data-key": `z${index}`, "aria-label": t("zone_name", { zone: name }), "aria-describedby": "zone-how" }),
        label,
        ...zone.polygon.map((corner, at) => handle(corner, `c${index}-${at}`, t("zone_corner", { zone: name, n: at + 1, x: Math.round(corner[0] * 100), y: Math.round(corner[1] * 100) }))),
      ];
    });
    if (this.hover) nodes.push(s("polygon", { class: `zone zone-${this.kind} is-open`, points: points(this.hover), "stroke-width": 2.5 * unit }));
    if (this.drawing) {
      nodes.push(s("polyline", { class: `zone zone-${this.kind} is-open`, points: points(this.drawing), "stroke-width": 2.5 * unit }));
      for (const [x, y] of this.drawing) nodes.push(s("circle", { class: "zone-handle", cx: x * width, cy: y * height, r: 7 * unit, "stroke-width": 2 * unit }));
    }
    this.svg.replaceChildren(...nodes);
    if (focused) $(`[data-key="${focused}"]`, this.svg)?.focus({ preventScroll: true });
    if (this.close) this.close.hidden = !(this.drawing?.length >= 3);
  }

  at(event) {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [clamp(place.x / state.picture.width), clamp(place.y / state.picture.height)];
  }

  down(event) {
    if (!event.isPrimary || event.button) return;
    event.preventDefault();
    const key = event.target.dataset?.key ?? "";
    const corner = key.match(/^c(\d+)-(\d+)$/);
    this.drag = { from: this.at(event), zones: this.zones, zone: corner ? Number(corner[1]) : key.startsWith("z") && !this.drawing ? Number(key.slice(1)) : null, corner: corner ? Number(corner[2]) : null, moving: false };
    event.target.focus?.({ preventScroll: true });
    this.svg.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { drag } = this;
    if (!drag) return;
    const [x, y] = this.at(event);
    const [dx, dy] = [x - drag.from[0], y - drag.from[1]];
    drag.moving ||= Math.hypot(dx, dy) > DRAG;
    if (!drag.moving) return;
    if (drag.zone === null) {
      if (!this.drawing) this.hover = rectangle(drag.from, [x, y]);
      this.draw();
      return;
    }
    const { kind, polygon } = drag.zones[drag.zone];
    const shape = drag.corner === null ? moved(polygon, dx, dy) : polygon.map((corner, at) => (at === drag.corner ? [x, y] : corner));
    this.change(drag.zones.map((zone, at) => (at === drag.zone ? { kind, polygon: shape } : zone)));
  }

  up(event) {
    const { drag, hover } = this;
    this.drag = this.hover = null;
    if (!drag || drag.zone !== null) return;
    if (hover) this.add(hover);
    else this.corner(this.at(event));
  }

  cancel() {
    this.drag = this.hover = null;
    this.draw();
  }

  /** A tap: one more corner, or the first one again, which closes the shape. */
  corner(place) {
    const first = this.drawing?.[0];
    if (first && this.drawing.length >= 3 && Math.hypot(place[0] - first[0], place[1] - first[1]) < 3 * DRAG) this.finish();
    else {
      this.drawing = [...(this.drawing ?? []), place];
      this.draw();
    }
  }

  finish() {
    const polygon = this.drawing;
    this.drawing = null;
    this.add(polygon);
  }

  key(event) {
    const key = event.target.dataset?.key;
    if (event.key === "Escape" && this.drawing) {
      this.drawing = null;
      this.draw();
      return;
    }
    if (!key) return;
    const [index, at] = key.slice(1).split("-").map(Number);
    const zone = this.zones[index];
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      const fewer = key[0] === "c" && zone.polygon.length > 3;
      this.change(fewer ? this.zones.map((one, other) => (other === index ? { ...one, polygon: zone.polygon.filter((_, corner) => corner !== at) } : one)) : this.zones.filter((_, other) => other !== index));
      return;
    }
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const step = event.shiftKey ? 5 * STEP : STEP;
    const [dx, dy] = arrow.map((way) => way * step);
    const polygon = key[0] === "z" ? moved(zone.polygon, dx, dy) : zone.polygon.map(([x, y], corner) => (corner === at ? [clamp(x + dx), clamp(y + dy)] : [x, y]));
    this.change(this.zones.map((one, other) => (other === index ? { ...one, polygon } : one)));
  }
}
