/** Full-text search of the docs: sections that contain all words of a query, ranked. Titles count most, then headings, then text. */

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

/** A part of a text, and whether it matches the query. */
export interface MarkedPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const RESULTS_MAX = 12;
/** At most this many results from one page. */
const RESULTS_OF_PAGE_MAX = 3;
const WORDS_MAX = 8;
const EXCERPT_LENGTH = 140;
/** Only the first matches of a text are considered for its excerpt. */
const MATCHES_MAX = 60;
/** The score of a match: a whole word, the beginning of a word, inside a word. */
const IN_TITLE = [60, 40, 14] as const;
const IN_HEADING = [40, 26, 10] as const;
const IN_TEXT = [8, 5, 2] as const;
/** The score of a section that contains the whole query. */
const PHRASE = 20;
/** Decisions, the changelog and benchmarks are ranked lower. */
const OF_THE_PAST = /^docs\/(decisions\/|changelog|benchmarks)/;
const PAST_SHARE = 0.4;

/** The words of a query, normalised. */
export function wordsOf(question: string): readonly string[] {
  const words = folded(question)
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return [...new Set(words)].slice(0, WORDS_MAX);
}

export function search(index: SearchIndex, question: string): readonly SearchResult[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  const phrase = folded(question).trim();
  const scored = index.sections.flatMap((section) => {
    const [page, heading, anchor, text] = section;
    const [title = '', path = '', group = ''] = index.pages[page] ?? [];
    const score = scoreOf({ title, heading: anchor === '' ? '' : heading, text }, words, phrase);
    if (score === 0) return [];
    const share = OF_THE_PAST.test(path) ? PAST_SHARE : 1;
    return [{ score: score * share, page, title, path, group, heading: anchor === '' ? '' : heading, anchor, text }];
  });
  scored.sort((a, b) => b.score - a.score || a.page - b.page);
  const ofPage = new Map<number, number>();
  const best = scored.filter(({ page }) => {
    const count = (ofPage.get(page) ?? 0) + 1;
    ofPage.set(page, count);
    return count <= RESULTS_OF_PAGE_MAX;
  });
  return best.slice(0, RESULTS_MAX).map(({ title, path, group, heading, anchor, text }) => ({
    title,
    group,
    heading,
    path: anchor === '' ? path : `${path}#${anchor}`,
    excerpt: excerptOf(text, words),
  }));
}

/** Splits a text into parts that match the query and parts that do not. */
export function markWords(text: string, words: readonly string[]): readonly MarkedPart[] {
  const plain = folded(text);
  const parts: { text: string; isMatch: boolean }[] = [];
  let end = 0;
  while (end < text.length) {
    const found = firstMatch(plain, words, end);
    if (found === null) break;
    if (found.at > end) parts.push({ text: text.slice(end, found.at), isMatch: false });
    end = found.at + found.length;
    parts.push({ text: text.slice(found.at, end), isMatch: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

interface Fields {
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** 0 if a word is missing. The page's title counts fully for its first section only. */
function scoreOf({ title, heading, text }: Fields, words: readonly string[], phrase: string): number {
  const fields = { title: folded(title), heading: folded(heading), text: folded(text) };
  let score = 0;
  let own = 0;
  for (const word of words) {
    const inTitle = worth(fields.title, word, IN_TITLE);
    const inHeading = worth(fields.heading, word, IN_HEADING);
    const inText = worth(fields.text, word, IN_TEXT);
    if (inTitle + inHeading + inText === 0) return 0;
    own += heading === '' ? inTitle + inText : inHeading + inText;
    score += heading === '' ? inTitle + inText : inTitle / 4 + inHeading + inText;
  }
  if (own === 0) return 0;
  if (words.length > 1) {
    const named = heading === '' ? fields.title : fields.heading;
    if (named.includes(phrase)) score += 3 * PHRASE;
    else if (fields.text.includes(phrase)) score += PHRASE;
  }
  // Of two headings with the word, the shorter one is more specific.
  return score + 4 / (1 + (heading === '' ? title : heading).length);
}

function worth(text: string, word: string, [whole, start, within]: readonly [number, number, number]): number {
  let best = 0;
  const stem = word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    const begins = !isLetter(text[at - 1]);
    const rest = text.slice(at + stem.length, at + stem.length + 2);
    const ends = !isLetter(rest[0]) || (rest[0] === 's' && !isLetter(rest[1]));
    const found = begins && ends ? whole : begins ? start : stem.length > 2 ? within : 0;
    if (found > best) best = found;
    if (best === whole) break;
  }
  return best;
}

function isLetter(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
}

/** The part of the text with the most different words. */
function excerptOf(text: string, words: readonly string[]): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const at = richestPlace(folded(text), words);
  const from = at < EXCERPT_LENGTH / 2 ? 0 : text.lastIndexOf(' ', at - EXCERPT_LENGTH / 4) + 1;
  const end = text.lastIndexOf(' ', from + EXCERPT_LENGTH);
  const to = from + EXCERPT_LENGTH >= text.length || end <= from ? text.length : end;
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}

/** The best position for an excerpt to begin at. */
function richestPlace(plain: string, words: readonly string[]): number {
  const matches: { at: number; word: string }[] = [];
  for (let from = 0; matches.length < MATCHES_MAX; ) {
    const found = firstMatch(plain, words, from);
    if (found === null) break;
    matches.push({ at: found.at, word: found.word });
    from = found.at + found.length;
  }
  let best = { at: 0, words: 0 };
  for (const { at } of matches) {
    const near = matches.filter((match) => match.at >= at && match.at < at + (EXCERPT_LENGTH * 2) / 3);
    const count = new Set(near.map(({ word }) => word)).size;
    if (count > best.words) best = { at, words: count };
  }
  return best.at;
}

/** The next match of any word. Short words match only at the beginning of a word. */
function firstMatch(
  plain: string,
  words: readonly string[],
  from: number,
): { readonly at: number; readonly length: number; readonly word: string } | null {
  let best: { at: number; length: number; word: string } | null = null;
  for (const word of words) {
    const stem = word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
    for (let at = plain.indexOf(stem, from); at >= 0; at = plain.indexOf(stem, at + 1)) {
      if (isLetter(plain[at - 1]) && stem.length < 4) continue;
      const length = plain.startsWith(word, at) ? word.length : stem.length;
      if (best === null || at < best.at || (at === best.at && length > best.length)) best = { at, length, word };
      break;
    }
  }
  return best;
}

/** Lower case, if that does not change the length of the text. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
