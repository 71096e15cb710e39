// Talking to the server. Every failure becomes an ApiFailure with a sentence in three languages.

import { page } from "./i18n.js";

export class ApiFailure extends Error {
  constructor(status, error) {
    super(error.en ?? error.code);
    this.status = status;
    this.error = error;
  }
}

async function answer(response) {
  let body;
  try {
    body = await response.json();
  } catch {
    throw new ApiFailure(response.status, { code: "no_json", ...page.texts.unreadable });
  }
  if (!response.ok) throw new ApiFailure(response.status, body.error ?? { code: "unknown", ...page.texts.unreadable });
  return body;
}

async function call(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
    throw new ApiFailure(0, { code: "offline", ...page.texts.offline });
  }
  return answer(response);
}

export const get = (path, signal) => call(path, { signal });

const json = (method) => (path, value, signal) =>
  call(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value), signal });

export const post = json("POST");
export const put = json("PUT");
export const remove = (path) => call(path, { method: "DELETE" });

/** Send bytes as they are. */
export const send = (path, body, type, signal) => call(path, { method: "POST", headers: { "Content-Type": type }, body, signal });

/** Send a picture with whatever belongs to it. */
export function sendPicture(path, picture, fields = {}) {
  const form = new FormData();
  form.append("image", picture, picture.name || "photo");
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return call(path, { method: "POST", body: form });
}

/** Send a picture to be read. */
export const readPhoto = (file, rules) => sendPicture(`/api/read?${new URLSearchParams({ rules })}`, file);
