/** The search index: every section of every page as text. `web/src/docs/search.ts` ranks it. */
import type { SearchIndex } from '../src/docs/search.ts';
import type { MenuGroup } from './menu.ts';
import type { Section } from './render-markdown.ts';

export interface IndexedPage {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

export function searchIndex(pages: readonly IndexedPage[], menu: readonly MenuGroup[]): SearchIndex {
  const groups = new Map(
    menu.flatMap(({ label, entries }) =>
      entries.flatMap((entry) => [entry, ...entry.below].map(({ path }) => [path, label] as const)),
    ),
  );
  return {
    pages: pages.map(({ path, title }) => [title, path, groups.get(path) ?? '']),
    sections: pages.flatMap(({ sections }, page) =>
      sections.map(({ heading, anchor, text }) => [page, heading, anchor, text] as const),
    ),
  };
}
