/** Opens the search with its button, `/`, Ctrl-K or ⌘K. Its code and index are loaded on first use. */
import { basePath } from '../navigation/base-path.ts';

export function readySearch(): void {
  const button = document.querySelector<HTMLButtonElement>('.search-button');
  const source = document.querySelector<HTMLElement>('[data-search]')?.dataset['search'];
  if (button === null || source === undefined) return;
  const open = async (): Promise<void> => {
    const { openSearchDialog } = await import('./search-dialog.ts');
    openSearchDialog({ source: new URL(source, document.baseURI).href, root: basePath });
  };
  button.hidden = false;
  button.addEventListener('click', () => void open());
  // Loads it before the click.
  button.addEventListener('pointerenter', () => void import('./search-dialog.ts'), { once: true });
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    if (!isShortcut && !isSlash) return;
    event.preventDefault();
    void open();
  });
}

/** An input of a dialog that was just closed keeps the focus until the next frame, but nobody types into it. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || !target.checkVisibility()) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
