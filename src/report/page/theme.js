/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Light or dark: as the system is, until the button says otherwise.
 */

const THEMES = ["system", "light", "dark"];
const THEME_KEPT = "inca-report-theme";

/** Files on a disk may have no place to keep anything. */
function keptTheme() {
  try {
    return THEMES.includes(localStorage.getItem(THEME_KEPT)) ? localStorage.getItem(THEME_KEPT) : THEMES[0];
  } catch {
    return THEMES[0];
  }
}

function keepTheme(theme) {
  try {
    localStorage.setItem(THEME_KEPT, theme);
  } catch {
    // it holds until the page is left
  }
}

const SYSTEM_DARK = matchMedia("(prefers-color-scheme: dark)");

function setTheme(theme) {
  const system = SYSTEM_DARK.matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme === "system" ? system : theme;
  document.dispatchEvent(new Event("themechange"));
}

function themeButton() {
  let theme = keptTheme();
  const button = element("button", { type: "button", id: "theme" });
  const show = () => {
    button.textContent = `theme: ${theme}`;
    setTheme(theme);
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    keepTheme(theme);
    show();
  });
  SYSTEM_DARK.addEventListener("change", () => setTheme(theme));
  show();
  return button;
}

/** A colour of the style sheet, for what is drawn without it: "--ink". */
function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colour of the n-th series; neighbours differ for all eyes, and in grey. */
function seriesColour(series) {
  return `--series-${series % 8}`;
}
