/** Light, dark, or the system's; stored in the browser. The rule before the first paint: `src/theme-early.js`. */

export type ThemeChoice = 'light' | 'dark' | 'system';
const KEY = 'turnpike.theme';
const listeners = new Set<() => void>();
const system = window.matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', apply);
window.addEventListener('storage', (event) => event.key === KEY && apply());

export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Without storage the choice lasts until the page is left.
    document.documentElement.dataset['theme'] = choice === 'system' ? systemTheme() : choice;
    for (const listener of listeners) listener();
    return;
  }
  apply();
}

function apply(): void {
  const choice = chosen();
  document.documentElement.dataset['theme'] = choice === 'system' ? systemTheme() : choice;
  for (const listener of listeners) listener();
}

/** The current theme and the choice, as `dark system`. */
export function readTheme(): string {
  return `${document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'} ${chosen()}`;
}

function chosen(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

function systemTheme(): 'light' | 'dark' {
  return system.matches ? 'dark' : 'light';
}

export function subscribeTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
