import { SunMoonIcon } from "../ui/icons.tsx";

/** Follows the system until somebody chooses; a choice that equals the system's is forgotten again. */
function switchTheme(): void {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const next = (root.dataset["theme"] ?? system) === "dark" ? "light" : "dark";
  if (next === system) delete root.dataset["theme"];
  else root.dataset["theme"] = next;
  try {
    if (next === system) localStorage.removeItem("theme");
    else localStorage.setItem("theme", next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export const ThemeSwitch = () => (
  <button type="button" className="theme-switch" onClick={switchTheme}>
    <SunMoonIcon />
    <span>Light or dark</span>
  </button>
);
