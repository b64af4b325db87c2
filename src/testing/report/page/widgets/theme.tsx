import { useState } from 'preact/hooks';
import { chooseTheme, themeNow, THEMES, type Theme } from '../parts/theme.ts';

const GLYPHS: Readonly<Record<Theme, string>> = { system: '◐', light: '☀\uFE0E', dark: '☾' };

/**
 * The switch between the theme of the system, light and dark. Not a `<select>`: with one in a page, Chromium lays the page out
 * for each computed style that a script reads, such as a test's search for a role.
 */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(themeNow);
  const choose = (theme: Theme) => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <div class="choice theme" role="group" aria-label="Theme">
      {THEMES.map((theme) => (
        <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => choose(theme)}>
          {GLYPHS[theme]} <span class="unseen">{theme}</span>
        </button>
      ))}
    </div>
  );
}
