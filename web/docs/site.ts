/** Builds the site from the repository's Markdown: pages, their Markdown, pictures, the search index, `llms.txt`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homePage } from './home-page.ts';
import { type ImageSize, imageSize } from './image-size.ts';
import { relativeHref, targetOf } from './links.ts';
import { llmsText, robotsText } from './llms-text.ts';
import { type MenuGroup, menuOf } from './menu.ts';
import { type Page, pageHtml } from './page-html.ts';
import { type RenderedPage, renderMarkdown } from './render-markdown.ts';
import { searchIndex } from './search-index.ts';
import { readSourcePages, type SourcePage } from './source-pages.ts';

export interface Site {
  readonly pages: readonly Page[];
  readonly menu: readonly MenuGroup[];
  /** The search index, as JSON. */
  readonly index: string;
  /** Files that are served unchanged, by address: Markdown, pictures, `llms.txt`. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Dead links: `docs/guide/limits.md: ../nothing.md`. */
  readonly deadLinks: readonly string[];
}

export interface SiteTemplates {
  readonly page: string;
  readonly api: string;
  /** The address of the search index. */
  readonly search: string;
  readonly version: string;
}

interface Rendered extends RenderedPage {
  readonly source: SourcePage;
}

const API_PAGE = {
  path: 'docs/api',
  title: 'API explorer',
  description: 'Every route with an example request and answer, and a form to try it with your own API key.',
};

export function readSite(root: string): Site {
  const sources = readSourcePages(root);
  // The generated home page takes its place.
  const shown = sources.filter(({ path }) => path !== 'docs');
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const files = new Map<string, string | Buffer>(sources.map(({ file, markdown }) => [file, markdown]));
  const deadLinks: string[] = [];
  const anchored: { readonly file: string; readonly href: string; readonly target: string; readonly anchor: string }[] =
    [];

  const read = (source: SourcePage, href: string): Buffer | null => {
    const target = targetOf(href, source.file, (file) => byFile.has(file));
    const path = target.kind === 'file' ? join(root, target.file) : '';
    if (target.kind !== 'file' || !existsSync(path)) {
      deadLinks.push(`${source.file}: ${href}`);
      return null;
    }
    const bytes = readFileSync(path);
    files.set(target.file, bytes);
    return bytes;
  };
  const link = (source: SourcePage, href: string): string | null => {
    const target = targetOf(href, source.file, (file) => byFile.has(file));
    if (target.kind === 'outside') return href;
    if (target.kind === 'repository') {
      if (!existsSync(join(root, target.file))) deadLinks.push(`${source.file}: ${href}`);
      return null;
    }
    if (target.kind === 'file') return read(source, href) === null ? null : relativeHref(source.path, target.file);
    if (target.anchor !== '') anchored.push({ file: source.file, href, target: target.file, anchor: target.anchor });
    const to = byFile.get(target.file)?.path ?? source.path;
    const anchor = target.anchor === '' ? '' : `#${target.anchor}`;
    return target.file === source.file && anchor !== '' ? anchor : `${relativeHref(source.path, to)}${anchor}`;
  };
  const image = (source: SourcePage, href: string): ({ src: string } & Partial<ImageSize>) | null => {
    const bytes = read(source, href);
    const target = targetOf(href, source.file, () => false);
    if (bytes === null || target.kind !== 'file') return null;
    return { src: relativeHref(source.path, target.file), ...imageSize(bytes) };
  };

  const rendered = shown.map(
    (source): Rendered => ({
      source,
      ...renderMarkdown(source.markdown, { link: (href) => link(source, href), image: (href) => image(source, href) }),
    }),
  );
  const anchorsOf = new Map(
    rendered.map(({ source, titleAnchor, headings }) => [
      source.file,
      [titleAnchor, ...headings.map(({ anchor }) => anchor)],
    ]),
  );
  for (const { file, href, target, anchor } of anchored)
    if (anchorsOf.get(target)?.includes(anchor) !== true) deadLinks.push(`${file}: ${href}`);

  const listed = rendered.map(({ source: { path }, title, summary }) => ({
    path,
    title,
    description: summary,
  }));
  const menu = menuOf([...listed, API_PAGE]);
  const readme = rendered.find(({ source }) => source.file === 'README.md');
  const introduction = readme?.opening ?? '';
  const twins = new Map(shown.map(({ path, file }) => [path, file]));
  files.set(
    'llms.txt',
    llmsText({ title: readme?.title ?? '', introduction, menu, twinOf: (path) => twins.get(path) ?? null }),
  );
  files.set('llms-full.txt', shown.map(({ markdown }) => markdown.trimEnd()).join('\n\n---\n\n'));
  files.set('robots.txt', robotsText(twins.values()));
  const indexed = rendered.map(({ source: { path }, title, sections }) => ({ path, title, sections }));
  const api = { ...API_PAGE, sections: [{ heading: API_PAGE.title, anchor: '', text: API_PAGE.description }] };
  return {
    pages: [homePage(menu, introduction, readme?.description ?? ''), API_EXPLORER, ...rendered.map(pageOf)],
    menu,
    index: JSON.stringify(searchIndex([...indexed, api], menu)),
    files,
    deadLinks,
  };
}

function pageOf({ source, title, titleAnchor, description, html, headings }: Rendered): Page {
  return { path: source.path, title, titleAnchor, description, content: html, headings, twin: source.file };
}

const API_EXPLORER: Page = {
  ...API_PAGE,
  content:
    '<div id="api"></div><noscript><p>The explorer needs JavaScript. The routes are listed under <a href="reference/api">Routes</a>.</p></noscript>',
  headings: [],
  twin: null,
  isWide: true,
};

const NOT_FOUND: Page = {
  path: 'docs/404',
  title: 'Page not found',
  description: 'This page does not exist.',
  content: '<p class="lead">This page does not exist. Use the search or the menu to find what you need.</p>',
  headings: [],
  twin: null,
};

/** Every page as a file of the build: `docs/guide/limits.html`; the home page is `docs/index.html`. */
export function siteHtml(site: Site, templates: SiteTemplates): ReadonlyMap<string, string> {
  const frame = { menu: site.menu, search: templates.search, version: templates.version };
  const html = site.pages.map((page): [string, string] => [
    page.path === 'docs' ? 'docs/index.html' : `${page.path}.html`,
    pageHtml(page, { ...frame, template: page.path === API_PAGE.path ? templates.api : templates.page }),
  ]);
  // It is served at any depth, so the server inserts the base path.
  const notFound = pageHtml(NOT_FOUND, { ...frame, template: templates.page }, { isPlaced: true });
  return new Map([...html, ['docs/404.html', notFound]]);
}
