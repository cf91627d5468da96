/** The home page of the docs: an introduction, cards for the most useful pages, and a list of all pages. */

import type { IconName } from '../src/components/icon-paths.ts';
import { escapeHtml } from './escape.ts';
import { relativeHref } from './links.ts';
import { inReadingOrder, type MenuEntry, type MenuGroup } from './menu.ts';
import { icon, type Page } from './page-html.ts';

const BEGIN: readonly { readonly path: string; readonly icon: IconName; readonly words: string }[] = [
  { path: 'docs/readme', icon: 'play', words: 'What Turnpike is, how to start it, and your first answer.' },
  {
    path: 'docs/guide/first-ten-minutes',
    icon: 'overview',
    words: 'From an empty folder to keys with budgets and a provider.',
  },
  { path: 'docs/api', icon: 'calls', words: 'Every route with examples. Try them with your own key.' },
  { path: 'docs/how-to/claude-code', icon: 'connect', words: 'Point Claude Code at your gateway.' },
  { path: 'docs/reference/errors', icon: 'warning', words: 'What each code means, and what to do about it.' },
  { path: 'docs/reference/config', icon: 'settings', words: 'Every option of the file, environment and flags.' },
];

export function homePage(menu: readonly MenuGroup[], introduction: string, description: string): Page {
  const to = (path: string): string => escapeHtml(relativeHref('docs', path));
  const entries = new Map(inReadingOrder(menu).map((entry) => [entry.path, entry]));
  const cards = BEGIN.flatMap(({ path, icon: name, words }) => {
    const entry = entries.get(path);
    if (entry === undefined) return [];
    return `<li><a class="card" href="${to(path)}">${icon(name)}<span class="card-title">${escapeHtml(entry.label)}</span><span class="card-words">${escapeHtml(words)}</span></a></li>`;
  });
  const groups = menu.map(
    ({ label, entries: listed }) =>
      `<section><h2 id="${groupAnchor(label)}">${escapeHtml(label)}</h2><ul class="page-list">${listed.map((entry) => rowHtml(entry, to)).join('')}</ul></section>`,
  );
  return {
    path: 'docs',
    title: 'Turnpike documentation',
    description,
    content: `<p class="lead">${escapeHtml(introduction)}</p>
<ul class="cards">${cards.join('')}</ul>
${groups.join('\n')}`,
    headings: menu.map(({ label }) => ({ depth: 2, text: label, anchor: groupAnchor(label) })),
    twin: 'llms.txt',
  };
}

function rowHtml({ path, label, description }: MenuEntry, to: (path: string) => string): string {
  return `<li><a href="${to(path)}">${escapeHtml(label)}</a><span>${escapeHtml(description)}</span></li>`;
}

function groupAnchor(label: string): string {
  return label.toLowerCase().replaceAll(' ', '-');
}
