// Looks for the program again and again, and opens the page that was asked for as soon as it answers.

const EVERY_MS = 2000;

async function look() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) {
      if (location.pathname === "/offline") location.replace("/");
      else location.reload();
      return;
    }
  } catch {
    // not yet
  }
  setTimeout(look, EVERY_MS);
}

document.getElementById("again").addEventListener("click", () => location.reload());
setTimeout(look, EVERY_MS);
