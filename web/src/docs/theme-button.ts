/** The theme button. The choice also applies to the dashboard. */
import { chooseTheme, readTheme, subscribeTheme } from '../navigation/theme-choice.ts';

export function readyTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('.theme-button');
  if (button === null) return;
  const label = button.querySelector('.hidden-label');
  const isDark = (): boolean => readTheme().startsWith('dark');
  const show = (): void => {
    if (label !== null) label.textContent = isDark() ? 'Light theme' : 'Dark theme';
  };
  button.addEventListener('click', () => chooseTheme(isDark() ? 'light' : 'dark'));
  subscribeTheme(show);
  show();
  button.hidden = false;
}
