// Answers in place of the browser's error page while the program does not run. Nothing else is kept: what the page shows
// always comes from the program.

const language = new URL(location.href).searchParams.get("lang") ?? "en";
const CACHE = `youjin-offline-${language}`;
const PAGE = "/offline";
const FILES = ["/static/css/base.css", "/static/css/dark.css", "/static/js/offline.js", "/static/icons/icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith("youjin-offline-")) await caches.delete(name);
      const cache = await caches.open(CACHE);
      await cache.addAll([PAGE, ...FILES].map((path) => new Request(path, { cache: "reload" })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(async () => (await caches.match(PAGE)) ?? Response.error()));
  } else if (FILES.includes(pathname)) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request, { ignoreSearch: true })) ?? Response.error()));
  }
});
