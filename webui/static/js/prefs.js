// What every page has. Language and light or dark are kept in cookies, so that the server draws the page right the first
// time.

import { page } from "./i18n.js";

const YEAR = 365 * 24 * 3600;

function remember(name, value) {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR}; SameSite=Strict`;
}

for (const select of document.querySelectorAll("select[data-lang]")) {
  select.addEventListener("change", () => {
    remember("lang", select.value);
    location.reload();
  });
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const darkSheet = document.getElementById("dark-sheet");
const isDark = () => (document.documentElement.dataset.theme === "auto" ? dark.matches : document.documentElement.dataset.theme === "dark");

for (const button of document.querySelectorAll("[data-theme-toggle]")) {
  const label = () => {
    button.setAttribute("aria-label", isDark() ? page.messages.theme_light : page.messages.theme_dark);
    button.dataset.shows = isDark() ? "sun" : "moon";
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    darkSheet.media = theme === "dark" ? "all" : "not all";
    remember("theme", theme);
    label();
  });
  dark.addEventListener("change", label);
  label();
}

// An installed app says in a sentence that the program does not run. Only on this machine: browsers refuse such a script
// where the certificate is one that its owner had to allow.
if ("serviceWorker" in navigator && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) {
  navigator.serviceWorker.register(`/sw.js?lang=${document.documentElement.dataset.locale}`).catch(() => {
    // Private windows refuse it; the browser's own error page does too.
  });
}
