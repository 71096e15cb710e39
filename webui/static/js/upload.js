// Photos by file, camera, drag and drop, or paste.

import { $ } from "./dom.js";

const isPicture = (file) => file.type.startsWith("image/") || /\.(jpe?g|png|webp|bmp|tiff?|heic|heif)$/i.test(file.name ?? "");

/** @param onPhoto called with the file; @param onOther called when what came is no picture */
export function watchUploads(onPhoto, onOther) {
  const take = (files) => {
    const list = [...(files ?? [])];
    const photo = list.find(isPicture);
    if (photo) onPhoto(photo);
    else if (list.length) onOther();
  };
  for (const input of document.querySelectorAll("input[type=file][data-photo]")) {
    input.addEventListener("change", () => {
      take(input.files);
      input.value = ""; // the same photo may be chosen again
    });
  }
  const zone = $("#dropzone");
  let depth = 0;
  addEventListener("dragenter", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    depth += 1;
    zone.hidden = false;
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) zone.hidden = true;
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    zone.hidden = true;
    take(event.dataTransfer.files);
  });
  addEventListener("paste", (event) => {
    if (event.clipboardData?.files.length) take(event.clipboardData.files);
  });
}
