// The phone's own camera: opening it, its light, keeping the screen on, taking pictures, seeing whether anything moves.

const GRID = [64, 48];
const LEVELS = 22; // grey levels by which a cell must differ; a dim room's noise stays below
const CELLS = 4;

// The browsers inside these apps often have no camera, whatever the owner allows.
const inApp = /MicroMessenger|QQ\/|DingTalk|AlipayClient/i.test(navigator.userAgent);

/** Why there is no camera, as the key of a text; `null` when it can be tried. */
export function obstacle() {
  if (window.isSecureContext && navigator.mediaDevices?.getUserMedia) return null;
  if (inApp) return "phone_in_app";
  return window.isSecureContext ? "phone_old_browser" : "phone_not_secure";
}

/** The key of the text that explains a failure of getUserMedia. */
export function reason(error) {
  if (inApp) return "phone_in_app";
  return (
    {
      NotAllowedError: "phone_denied",
      SecurityError: "phone_denied",
      NotFoundError: "phone_no_camera",
      OverconstrainedError: "phone_no_camera",
      NotReadableError: "phone_camera_busy",
      AbortError: "phone_camera_busy",
    }[error.name] ?? "phone_camera_failed"
  );
}

export class Camera {
  /** @param {HTMLVideoElement} video where the picture is seen; @param onEnd called when the system takes the camera away */
  constructor(video, onEnd) {
    this.video = video;
    this.onEnd = onEnd;
    this.stream = null;
    this.lock = null;
    this.canvas = document.createElement("canvas");
    const small = Object.assign(document.createElement("canvas"), { width: GRID[0], height: GRID[1] });
    this.small = small.getContext("2d", { willReadFrequently: true });
    this.before = null;
  }

  get on() {
    return this.stream !== null;
  }

  get track() {
    return this.stream?.getVideoTracks()[0] ?? null;
  }

  async open(longSide) {
    this.close();
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: "environment" }, width: { ideal: longSide }, height: { ideal: Math.round((longSide * 3) / 4) }, frameRate: { ideal: 15, max: 30 } },
    });
    this.stream = stream;
    this.track.addEventListener("ended", () => {
      if (this.stream === stream) this.onEnd();
    });
    this.video.srcObject = stream;
    await this.video.play();
    await this.stayAwake();
  }

  close() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    this.video.srcObject = null;
    this.before = null;
    this.lock?.release().catch(() => {});
    this.lock = null;
  }

  /** Keep the screen on. Tells whether this browser can. */
  async stayAwake() {
    if (!navigator.wakeLock) return false;
    try {
      this.lock = await navigator.wakeLock.request("screen");
      return true;
    } catch {
      return false; // battery saver; the page tells to keep the screen on
    }
  }

  get hasLight() {
    return Boolean(this.track?.getCapabilities?.().torch);
  }

  async light(on) {
    await this.track.applyConstraints({ advanced: [{ torch: on }] });
  }

  get ready() {
    return this.on && this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && this.video.videoWidth > 0;
  }

  /** Does the picture differ from the one that was taken last? */
  moved() {
    if (!this.ready) return false;
    const now = this.look();
    if (!this.before) return true;
    const difference = now.map((value, index) => value - this.before[index]);
    // A lamp that flickers lifts the whole picture; tiles that move do not.
    const lift = difference.reduce((sum, value) => sum + value, 0) / difference.length;
    let cells = 0;
    for (const value of difference) if (Math.abs(value - lift) > LEVELS) cells += 1;
    return cells >= CELLS;
  }

  look() {
    this.small.drawImage(this.video, 0, 0, ...GRID);
    const { data } = this.small.getImageData(0, 0, ...GRID);
    const grey = new Int16Array(GRID[0] * GRID[1]);
    for (let index = 0; index < grey.length; index += 1) grey[index] = (data[4 * index] * 77 + data[4 * index + 1] * 150 + data[4 * index + 2] * 29) >> 8;
    return grey;
  }

  /** Take the picture as it is now: a JPEG, the right way up, its long side at most `longSide` pixels. */
  async take(longSide, quality) {
    this.before = this.look();
    const { videoWidth, videoHeight } = this.video;
    const scale = Math.min(1, longSide / Math.max(videoWidth, videoHeight));
    this.canvas.width = Math.round(videoWidth * scale);
    this.canvas.height = Math.round(videoHeight * scale);
    this.canvas.getContext("2d", { alpha: false }).drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((done) => this.canvas.toBlob(done, "image/jpeg", quality));
  }
}

/** Make a photo small enough to send; what this browser cannot decode goes as it is, and the server says what it thinks. */
export async function shrink(file, longSide) {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, longSide / Math.max(bitmap.width, bitmap.height));
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) });
    canvas.getContext("2d", { alpha: false }).drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return (await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9))) ?? file;
  } catch {
    return file;
  }
}
