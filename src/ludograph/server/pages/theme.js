// @ts-check
/**
 * Light and dark mode: the preference of the system, unless the reader has chosen one with the button.
 * This script runs in the head, so that a page never flashes in the other mode.
 * @module
 */

const KEY = "ludograph-theme";

/** @returns {"light" | "dark" | null} the reader's own choice */
function chosenTheme() {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null; // storage may be forbidden
  }
}

function systemTheme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function applyTheme() {
  document.documentElement.dataset["theme"] = chosenTheme() ?? systemTheme();
}

function toggleTheme() {
  const next = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The choice then lasts as long as the page.
  }
  document.documentElement.dataset["theme"] = next;
}

applyTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme")?.addEventListener("click", toggleTheme);
});
