/** The part of a text that is shown for a query, and its matches. */
import { isLetter, stemOf } from './score-section.ts';

/** A part of a text, and whether it matches the query. */
export interface MarkedPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const EXCERPT_LENGTH = 140;
/** Only the first matches of a text are considered for its excerpt. */
const MATCHES_MAX = 60;

/** The part of the text with the most different words. */
export function excerptOf(text: string, words: readonly string[]): string {
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
    const stem = stemOf(word);
    for (let at = plain.indexOf(stem, from); at >= 0; at = plain.indexOf(stem, at + 1)) {
      if (isLetter(plain[at - 1]) && stem.length < 4) continue;
      const length = plain.startsWith(word, at) ? word.length : stem.length;
      if (best === null || at < best.at || (at === best.at && length > best.length)) best = { at, length, word };
      break;
    }
  }
  return best;
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

/** Lower case, if that does not change the length of the text. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
