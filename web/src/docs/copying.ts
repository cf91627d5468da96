/** Copy buttons: for code blocks, and for the page as Markdown. */
import { copyText } from '../components/copy-text.ts';
import { consoleCommands } from './console-commands.ts';

const SHOWN_MS = 2000;

export function readyCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.code .copy')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const block = button.closest('.code');
      const code = block?.querySelector('code')?.textContent ?? '';
      const copied = block?.classList.contains('is-console') === true ? consoleCommands(code) : code;
      void copyText(copied).then((done) => say(button, done));
    });
  }
  const page = document.querySelector<HTMLButtonElement>('.copy-page');
  if (page === null) return;
  page.hidden = false;
  page.addEventListener('click', () => void copyPage(page));
}

async function copyPage(button: HTMLButtonElement): Promise<void> {
  try {
    const response = await fetch(button.dataset['source'] ?? '', { headers: { accept: 'text/markdown' } });
    say(button.querySelector('span') ?? button, response.ok && (await copyText(await response.text())));
  } catch {
    say(button.querySelector('span') ?? button, false);
  }
}

/** Replaces the label for two seconds, and announces it to screen readers. */
function say(label: HTMLElement, done: boolean): void {
  const before = label.dataset['label'] ?? label.textContent;
  label.dataset['label'] = before;
  label.setAttribute('aria-live', 'polite');
  label.textContent = done ? 'Copied' : 'Not copied';
  setTimeout(() => {
    label.textContent = before;
  }, SHOWN_MS);
}
