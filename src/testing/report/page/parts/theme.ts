/** The theme of the page: that of the reader's system, or the one that the reader has chosen. */
import { remember, remembered } from './remembered.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const themeNow = (): Theme => THEMES.find((theme) => theme === remembered('theme')) ?? 'system';

/** Shows the page in the chosen theme. */
export function showTheme(): void {
  document.documentElement.dataset.theme = themeNow();
}

export function chooseTheme(theme: Theme): void {
  remember('theme', theme);
  showTheme();
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const theme = themeNow();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
