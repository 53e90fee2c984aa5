import { chooseTheme, themes, useTheme } from "../lib/theme.ts";

const labels = { system: "System", light: "Light", dark: "Dark" };

/** The style sheet marks the chosen theme, because it is applied before React. */
export function ThemeSwitch() {
  const chosen = useTheme();
  return (
    <div className="theme-switch" role="group" aria-label="Theme">
      {themes.map((theme) => (
        <button
          key={theme}
          type="button"
          className={theme}
          aria-pressed={theme === chosen}
          onClick={() => chooseTheme(theme)}
        >
          {labels[theme]}
        </button>
      ))}
    </div>
  );
}
