import { useState } from 'preact/hooks';
import { chooseTheme, themeNow, THEMES } from '../parts/theme.ts';

/** The switch between the theme of the system, light and dark. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(themeNow);
  return (
    <label class="theme">
      Theme{' '}
      <select
        value={chosen}
        onChange={({ currentTarget: { selectedIndex } }) => {
          const theme = THEMES[selectedIndex] ?? 'system';
          chooseTheme(theme);
          setChosen(theme);
        }}
      >
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {theme}
          </option>
        ))}
      </select>
    </label>
  );
}
