// A closer look at the picture: pinch, Ctrl and wheel, double tap, or the buttons; dragging moves it once it is larger.

import { $ } from "./dom.js";

const MOST = 5;
const BUTTON = 1.5;
const TAP_MS = 300;

export class Zoom {
  /** @param frame what cuts the picture off; @param stage what is moved in it; @param onChange called when the scale changed */
  constructor(frame, stage, onChange) {
    Object.assign(this, { frame, stage, onChange, scale: 1, x: 0, y: 0, fingers: new Map(), tapped: 0 });
    frame.addEventListener("pointerdown", (event) => this.down(event));
    frame.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) frame.addEventListener(name, (event) => this.up(event));
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    // A drag that began on a tile's box is no tap on it.
    frame.addEventListener("click", (event) => this.dragged && (event.stopPropagation(), event.preventDefault()), { capture: true });
    new ResizeObserver(() => this.place()).observe(frame);
  }

  /** Make the picture larger or smaller around a point of the frame (its middle unless given). */
  by(factor, [px, py] = [this.frame.clientWidth / 2, this.frame.clientHeight / 2]) {
    const before = this.scale;
    this.scale = Math.min(MOST, Math.max(1, before * factor));
    const real = this.scale / before;
    this.x = px - (px - this.x) * real;
    this.y = py - (py - this.y) * real;
    this.place();
    if (this.scale !== before) this.onChange();
  }

  closer = () => this.by(BUTTON);
  farther = () => this.by(1 / BUTTON);
  whole = () => this.by(0);

  place() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    this.x = Math.min(0, Math.max(width * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(height * (1 - this.scale), this.y));
    this.stage.style.transform = this.scale === 1 ? "" : `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.frame.classList.toggle("is-zoomed", this.scale > 1);
  }

  spot(event) {
    const { left, top } = this.frame.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  down(event) {
    this.dragged = false;
    if (event.target.closest("[data-zones-layer]:not([hidden])")) return; // there, a drag draws
    this.fingers.set(event.pointerId, this.spot(event));
    if (this.fingers.size > 1 || event.target.closest("button, label, a, [role=button]")) return;
    const again = performance.now() - this.tapped < TAP_MS;
    this.tapped = again ? 0 : performance.now();
    if (again) this.by(this.scale > 1 ? 0 : 2.5, this.spot(event));
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.spot(event);
    if (this.fingers.size === 2) {
      const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const far = (place) => Math.max(20, Math.hypot(place[0] - other[0], place[1] - other[1]));
      this.by(far(now) / far(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
      this.dragged = true;
    } else if (this.scale > 1 && event.buttons) {
      if (!this.dragged && Math.hypot(now[0] - before[0], now[1] - before[1]) < 6) return;
      this.dragged = true;
      this.x += now[0] - before[0];
      this.y += now[1] - before[1];
      this.place();
    } else return;
    this.fingers.set(event.pointerId, now);
  }

  up(event) {
    this.fingers.delete(event.pointerId);
  }

  wheel(event) {
    if (!event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 300), this.spot(event));
  }
}

/** The buttons of a zoom. */
export function zoomButtons(root, zoom) {
  for (const [name, act] of Object.entries({ closer: zoom.closer, farther: zoom.farther, whole: zoom.whole })) $(`[data-zoom=${name}]`, root).addEventListener("click", act);
  return () => {
    // The other two are shown on a larger picture only (setup.css): the focus does not go with them.
    if (zoom.scale === 1 && document.activeElement.matches("[data-zoom=farther], [data-zoom=whole]")) $("[data-zoom=closer]", root).focus();
    $("[data-zoom=farther]", root).disabled = $("[data-zoom=whole]", root).disabled = zoom.scale === 1;
    $("[data-zoom=closer]", root).disabled = zoom.scale >= MOST;
  };
}
