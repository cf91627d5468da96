/** Full-text search of the docs: sections that contain the words of a query, ranked. Titles count most, then headings, then text. */
import { excerptOf, folded } from './excerpt.ts';
import { type SectionFields, scoreSection } from './score-section.ts';
import { synonymsOf } from './synonyms.ts';

export interface SearchIndex {
  /** Title, address from the site's root, menu group. */
  readonly pages: readonly (readonly [title: string, path: string, group: string])[];
  /** Index of the page, heading, anchor (empty for the beginning of the page), text. */
  readonly sections: readonly (readonly [page: number, heading: string, anchor: string, text: string])[];
}

export interface SearchResult {
  readonly title: string;
  readonly group: string;
  /** Empty for the page as a whole. */
  readonly heading: string;
  /** From the site's root: `docs/guide/limits#budgets`. */
  readonly path: string;
  readonly excerpt: string;
}

const RESULTS_MAX = 12;
/** At most this many results from one page. */
const RESULTS_OF_PAGE_MAX = 3;
const WORDS_MAX = 8;
/** Pages about the project, and about its past, are ranked lower. */
const OF_THE_PROJECT = /^docs\/(decisions|changelog|benchmarks|architecture|contributing)/;
const PROJECT_SHARE = 0.4;
const STOP_WORDS = new Set(
  'a an and are at can did do does for how i in is it my of on or the to what when where which why with'.split(' '),
);

/** The words of a query, normalised; without stop words if others are left. */
export function wordsOf(question: string): readonly string[] {
  const words = folded(question)
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, WORDS_MAX);
}

/** One way to say a query. */
interface Wording {
  readonly words: readonly string[];
  readonly phrase: string;
  /** By which a score is multiplied. */
  readonly share: number;
}

/** A match of a synonym counts a little less than the same match of the reader's own words. */
const SYNONYM_SHARE = 0.9;

/** Sections with all words, or with their synonyms; if no section has them all, sections with more than half of the words. */
export function search(index: SearchIndex, question: string): readonly SearchResult[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  const asAsked = { words, phrase: folded(question).trim(), share: 1 };
  const others = synonymsOf(words).map((each) => ({ words: each, phrase: each.join(' '), share: SYNONYM_SHARE }));
  const found = rank(index, [asAsked, ...others], 0);
  const missingMax = Math.ceil(words.length / 2) - 1;
  return found.length > 0 || missingMax === 0 ? found : rank(index, [{ ...asAsked, phrase: '' }], missingMax);
}

function rank(index: SearchIndex, wordings: readonly Wording[], missingMax: number): readonly SearchResult[] {
  const fields = fieldsOf(index);
  const scored = index.sections.flatMap(([page], at) => {
    const [, path = ''] = index.pages[page] ?? [];
    const section = fields[at];
    if (section === undefined) return [];
    const ofProject = OF_THE_PROJECT.test(path) ? PROJECT_SHARE : 1;
    return wordings
      .map(({ words, phrase, share }) => ({
        at,
        page,
        words,
        score: scoreSection(section, words, phrase, missingMax) * share * ofProject,
      }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 1);
  });
  scored.sort((a, b) => b.score - a.score || a.at - b.at);
  const ofPage = new Map<number, number>();
  const best = scored.filter(({ page }) => {
    const count = (ofPage.get(page) ?? 0) + 1;
    ofPage.set(page, count);
    return count <= RESULTS_OF_PAGE_MAX;
  });
  return best.slice(0, RESULTS_MAX).map(({ at, words }) => resultOf(index, at, words));
}

function resultOf(index: SearchIndex, at: number, words: readonly string[]): SearchResult {
  const [page, heading, anchor, text] = index.sections[at] ?? [0, '', '', ''];
  const [title = '', path = '', group = ''] = index.pages[page] ?? [];
  return {
    title,
    group,
    heading: anchor === '' ? '' : heading,
    path: anchor === '' ? path : `${path}#${anchor}`,
    excerpt: excerptOf(text, words),
  };
}

const prepared = new WeakMap<SearchIndex, readonly SectionFields[]>();

/** In lower case, once for an index: not again for each letter that is typed. */
function fieldsOf(index: SearchIndex): readonly SectionFields[] {
  const known = prepared.get(index);
  if (known !== undefined) return known;
  const fields = index.sections.map(([page, heading, anchor, text]) => ({
    title: folded(index.pages[page]?.[0] ?? ''),
    heading: anchor === '' ? '' : folded(heading),
    text: folded(text),
  }));
  prepared.set(index, fields);
  return fields;
}
