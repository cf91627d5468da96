/** The search dialog: arrow keys choose a result, Enter opens it, Escape closes the dialog. */
import { markWords } from './excerpt.ts';
import { type SearchIndex, type SearchResult, search, wordsOf } from './search.ts';

export interface SearchPlaces {
  /** The address of the index. */
  readonly source: string;
  /** The base path; empty at the root of a host. */
  readonly root: string;
}

let index: Promise<SearchIndex> | null = null;
let dialog: HTMLDialogElement | null = null;

export function openSearchDialog(places: SearchPlaces): void {
  dialog ??= makeDialog(places);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('input')?.select();
}

function makeDialog({ source, root }: SearchPlaces): HTMLDialogElement {
  const made = element('dialog', 'search');
  made.setAttribute('aria-label', 'Search the docs');
  const input = element('input', 'search-input');
  const list = element('div', 'search-results');
  const note = element('p', 'search-note');
  Object.assign(input, { type: 'search', placeholder: 'Search the docs', autocomplete: 'off', spellcheck: false });
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': 'Search the docs',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
  }))
    input.setAttribute(name, value);
  list.id = 'search-results';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Results');
  note.setAttribute('role', 'status');
  made.append(input, note, list, hints());
  document.body.append(made);

  let chosen = 0;
  const choose = (next: number): void => {
    const options = [...list.children];
    chosen = options.length === 0 ? 0 : (next + options.length) % options.length;
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === chosen));
    const option = options[chosen];
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  const show = async (): Promise<void> => {
    const question = input.value;
    index ??= readIndex(source);
    try {
      const results = search(await index, question);
      // The input has changed in the meantime.
      if (input.value !== question) return;
      list.replaceChildren(...results.map((result, at) => optionOf(result, at, question, root)));
      input.setAttribute('aria-expanded', String(results.length > 0));
      note.textContent = noteOf(question, results.length);
      choose(0);
    } catch {
      index = null;
      note.textContent = 'The search index could not be loaded. Try again.';
    }
  };
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') list.querySelectorAll('a')[chosen]?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener('mousemove', (event) => {
    const at = [...list.children].findIndex((option) => option.contains(event.target as Node));
    if (at >= 0 && at !== chosen) choose(at);
  });
  // A result on the current page loads no new page, so the dialog must be closed.
  list.addEventListener('click', () => made.close());
  made.addEventListener('click', (event) => event.target === made && made.close());
  void show();
  return made;
}

async function readIndex(source: string): Promise<SearchIndex> {
  const response = await fetch(source);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as SearchIndex;
}

function noteOf(question: string, results: number): string {
  if (wordsOf(question).length === 0) return 'Guides, reference, error codes, options, commands.';
  if (results === 0) return 'No results. Try fewer or different words.';
  return results === 1 ? '1 result' : `${results} results`;
}

function optionOf(
  { title, group, heading, path, excerpt }: SearchResult,
  at: number,
  question: string,
  root: string,
): HTMLElement {
  const words = wordsOf(question);
  const link = element('a', 'search-result');
  link.id = `search-result-${at}`;
  link.setAttribute('role', 'option');
  link.href = `${root}/${path}`;
  link.tabIndex = -1;
  const name = element('span', 'search-name');
  name.append(...marked(heading === '' ? title : heading, words));
  const place = element('span', 'search-place');
  place.textContent = heading === '' ? group : `${group} › ${title}`;
  const text = element('span', 'search-excerpt');
  text.append(...marked(excerpt, words));
  link.append(name, place, text);
  return link;
}

function marked(text: string, words: readonly string[]): Node[] {
  return markWords(text, words).map(({ text: part, isMatch }) => {
    if (!isMatch) return document.createTextNode(part);
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function hints(): HTMLElement {
  const line = element('p', 'search-hints');
  for (const [key, words] of [
    ['↑↓', 'to move'],
    ['Enter', 'to open'],
    ['Esc', 'to close'],
  ] as const) {
    const kbd = document.createElement('kbd');
    kbd.textContent = key;
    line.append(kbd, ` ${words} `);
  }
  return line;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
