/** The layout of a page: header, menu, contents, and links to the previous and next page. */
import { type IconName, iconPaths } from '../src/components/icon-paths.ts';
import { escapeHtml } from './escape.ts';
import { relativeHref, rootFrom } from './links.ts';
import { inReadingOrder, type MenuEntry, type MenuGroup } from './menu.ts';
import type { Heading } from './render-markdown.ts';

export interface Page {
  /** `docs/guide/limits`. */
  readonly path: string;
  readonly title: string;
  /** The anchor of the title. */
  readonly titleAnchor?: string;
  readonly description: string;
  /** The page's HTML. */
  readonly content: string;
  readonly headings: readonly Heading[];
  /** The address of the page's Markdown; null if it has none. */
  readonly twin: string | null;
  readonly isWide?: boolean;
}

export interface SiteFrame {
  /** The page that Vite built, with `<!--docs:head-->` and `<!--docs:body-->`. */
  readonly template: string;
  readonly menu: readonly MenuGroup[];
  /** The address of the search index. */
  readonly search: string;
  readonly version: string;
}

const SITE = 'Turnpike docs';

/** Links are relative to the page. With `isPlaced` the server inserts the base path instead, as in the dashboard's page. */
export function pageHtml(page: Page, frame: SiteFrame, { isPlaced = false } = {}): string {
  const title = page.path === 'docs' ? SITE : `${page.title} · ${SITE}`;
  const root = isPlaced ? '.' : rootFrom(page.path);
  const to = (path: string): string =>
    escapeHtml(isPlaced ? `./${path === '.' ? '' : path}` : relativeHref(page.path, path));
  const twin =
    page.twin === null
      ? ''
      : `<link rel="alternate" type="text/markdown" title="This page as Markdown" href="${to(page.twin)}" />`;
  const head = `<title>${escapeHtml(title)}</title>
    <meta name="description" content="${escapeHtml(page.description)}" />
    <meta name="base-path" content="${isPlaced ? '' : root}" />
    ${twin}`;
  return frame.template
    .replaceAll('="./', `="${root}/`)
    .replace('<!--docs:head-->', () => head)
    .replace('<!--docs:body-->', () => bodyHtml(page, frame, to));
}

function bodyHtml(page: Page, frame: SiteFrame, to: (path: string) => string): string {
  const group = frame.menu.find(({ entries }) => contains(entries, page.path));
  return `<a class="skip" href="#content">Skip to the content</a>
<header class="top" data-search="${to(frame.search)}">
  <button type="button" class="icon-button menu-button" aria-expanded="false" aria-controls="menu" hidden>${icon('menu')}<span class="hidden-label">Menu</span></button>
  <a class="brand" href="${to('docs')}">${LOGO}<span>Turnpike</span><span class="brand-docs">Docs</span></a>
  <button type="button" class="search-button" aria-label="Search" aria-haspopup="dialog" hidden>${icon('search')}<span>Search</span><kbd>/</kbd></button>
  <nav class="top-links" aria-label="Site">
    <a class="top-link api-link" href="${to('docs/api')}"${page.path === 'docs/api' ? ' aria-current="page"' : ''}>API</a>
    <button type="button" class="icon-button theme-button" hidden>${icon('moon')}${icon('sun')}<span class="hidden-label">Dark theme</span></button>
    <a class="top-link boxed" href="${to('.')}">Dashboard</a>
  </nav>
</header>
<div class="frame${page.isWide ? ' is-wide' : ''}">
  <nav class="menu" id="menu" aria-label="Documentation">${frame.menu.map((each) => groupHtml(each, page.path, to)).join('')}</nav>
  <main id="content" tabindex="-1">
    <article class="page">
      ${titleHtml(page, group, to)}
      ${page.content}
    </article>
    ${aroundHtml(page, frame.menu, to)}
    <footer class="foot"><span>Turnpike ${escapeHtml(frame.version)}</span>${
      page.twin === null ? '' : `<a href="${to(page.twin)}">This page as Markdown</a>`
    }<a href="${to('llms.txt')}">llms.txt</a></footer>
  </main>
  ${contentsHtml(page.headings)}
</div>
`;
}

function titleHtml(page: Page, group: MenuGroup | undefined, to: (path: string) => string): string {
  const copy =
    page.twin === null
      ? ''
      : `<button type="button" class="copy-page" data-source="${to(page.twin)}" hidden>${icon('copy')}<span>Copy page</span></button>`;
  const place = group === undefined ? '' : `<p class="place">${escapeHtml(group.label)}</p>`;
  const id = page.titleAnchor ? ` id="${escapeHtml(page.titleAnchor)}"` : '';
  return `<div class="title"><div>${place}<h1${id}>${escapeHtml(page.title)}</h1></div>${copy}</div>`;
}

function contains(entries: readonly MenuEntry[], path: string): boolean {
  return entries.some((entry) => entry.path === path || contains(entry.below, path));
}

function groupHtml({ label, entries }: MenuGroup, current: string, to: (path: string) => string): string {
  return `<div class="menu-group"><p class="menu-label">${escapeHtml(label)}</p><ul>${entries
    .map((entry) => entryHtml(entry, current, to))
    .join('')}</ul></div>`;
}

function entryHtml(entry: MenuEntry, current: string, to: (path: string) => string): string {
  const isOpen = contains([entry], current);
  const below =
    isOpen && entry.below.length > 0
      ? `<ul class="below">${entry.below.map((each) => entryHtml(each, current, to)).join('')}</ul>`
      : '';
  const here = entry.path === current ? ' aria-current="page"' : '';
  return `<li><a href="${to(entry.path)}"${here}>${escapeHtml(entry.label)}</a>${below}</li>`;
}

function aroundHtml({ path }: Page, menu: readonly MenuGroup[], to: (path: string) => string): string {
  const order = inReadingOrder(menu);
  const at = order.findIndex((entry) => entry.path === path);
  if (at < 0) return '';
  const link = (entry: MenuEntry | undefined, label: string, name: string): string =>
    entry === undefined
      ? '<span></span>'
      : `<a class="${name}" href="${to(entry.path)}"><span class="around-label">${label}</span><span>${escapeHtml(entry.label)}</span></a>`;
  return `<nav class="around" aria-label="Next pages">${link(order[at - 1], 'Previous', 'previous')}${link(order[at + 1], 'Next', 'next')}</nav>`;
}

/** Pages with fewer than two headings need no table of contents. */
function contentsHtml(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth <= 3);
  if (shown.length < 2) return '<div class="page-contents"></div>';
  return `<nav class="page-contents" aria-labelledby="contents-label"><p id="contents-label">On this page</p><ul>${shown
    .map(
      ({ depth, text, anchor }) =>
        `<li${depth > 2 ? ' class="deeper"' : ''}><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
    )
    .join('')}</ul></nav>`;
}

export function icon(name: IconName): string {
  return `<svg class="icon icon-${name}" aria-hidden="true" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round"><path d="${iconPaths[name]}"/></svg>`;
}

const LOGO =
  '<svg class="logo" aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="var(--accent)"/><path d="M8 10h16M16 10v14" stroke="var(--on-accent)" stroke-width="3.2" stroke-linecap="round"/><path d="M16 17l8-3" stroke="var(--on-accent)" stroke-width="2.4" stroke-linecap="round"/></svg>';
