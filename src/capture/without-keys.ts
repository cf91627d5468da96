/** Removes what looks like a key or a password from short texts, synchronously. */
import { findAuthorizations, findKnownKeys, findNamedKeys, findPasswords, findPrivateKeys, HINT } from './find-keys.ts';

export interface ShortText {
  readonly text: string;
  /** The number of characters to keep; the rest is only searched, so that a key is not cut before it is found. */
  readonly keep: number;
  /** Whether `text` is truncated: a possible token at its end then counts as one. */
  readonly isCut: boolean;
  /** Whether it is the name of the next text, which may identify that as a key. */
  readonly isName: boolean;
}

/** Replaces a key. */
export const KEY_NOTE = '[key]';
/** No key pattern matches across it, and printable text does not contain it. */
const BETWEEN = '\n\0\n';
const PASSES = [findKnownKeys, findNamedKeys, findAuthorizations, findPasswords, findPrivateKeys];
/** Keys of this gateway, even directly after other letters. */
const OUR_KEY = /sk-tp-[0-9A-Za-z]{12,49}/g;

/**
 * Returns `texts`, some thousand characters in all, each without keys and cut to `keep`, never within the note of a key.
 * `isSecret` returns whether a text contains anything else that must not be stored: then all of it is replaced.
 */
export function withoutKeys(
  texts: readonly ShortText[],
  isSecret: ((text: string) => boolean) | null,
): readonly string[] {
  const joined = texts.map(({ text, isName }) => text + (isName ? ': ' : BETWEEN)).join('');
  const found = findIn(joined);
  const holdsSecret = isSecret?.(joined) === true;
  let start = 0;
  return texts.map((short) => {
    const { text, isName, isCut } = short;
    const end = start + text.length;
    const spans = found.filter((span) => span.start < end && span.end > start);
    const inText: Part[] = spans.map((span) => ({ start: span.start - start, end: span.end - start }));
    if (isCut) addTokenAtEnd(text, inText);
    start = end + (isName ? 2 : BETWEEN.length);
    return holdsSecret && isSecret?.(text) === true ? KEY_NOTE : redacted(short, inText);
  });
}

interface Part {
  readonly start: number;
  readonly end: number;
}

function findIn(text: string): readonly Part[] {
  if (!HINT.test(text)) return [];
  const parts: Part[] = PASSES.flatMap((find) => [...find(text)].filter((span) => span !== null));
  for (const { 0: key, index } of text.matchAll(OUR_KEY)) parts.push({ start: index, end: index + key.length });
  return parts;
}

/** A JSON web token has any length, and is recognized by its third part, so a truncated one is treated as a token too. */
function addTokenAtEnd(text: string, parts: Part[]): void {
  let from = text.length;
  while (from > 0 && IN_TOKEN.test(text[from - 1] as string)) from -= 1;
  const at = text.indexOf('eyJ', from);
  if (at !== -1) parts.push({ start: at, end: text.length });
}

const IN_TOKEN = /[\w.-]/;

function redacted({ text, keep }: ShortText, parts: Part[]): string {
  if (parts.length === 0) return keep >= text.length ? text : detached(text.slice(0, keep));
  parts.sort((one, other) => one.start - other.start);
  let kept = '';
  let from = 0;
  for (const { start, end } of parts) {
    if (start >= keep) break;
    if (end <= from) continue;
    if (start >= from) kept += text.slice(from, start) + KEY_NOTE;
    from = end;
  }
  return detached(from >= keep ? kept : kept + text.slice(from, keep));
}

/** Copies the text: in V8 a substring keeps the whole string in memory. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}
