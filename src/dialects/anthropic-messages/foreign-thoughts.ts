/**
 * Thoughts of another vendor that this gateway gave to a caller as thinking blocks, with a signature of its
 * own making. Who changes the model in mid-conversation sends them to Anthropic, which refuses what it has
 * not signed: so they are taken out of a relayed request, each with its comma.
 */
import type { Edit } from '../../wire/json-splice.ts';
import { TAG } from './reasoning-tag.ts';

/** Removals in order of place. Nearly every body has none, which one search tells. */
export function foreignThoughts(bytes: Buffer): Edit[] {
  const places: Place[] = [];
  const mark = `"${TAG}`;
  let at = bytes.indexOf(mark, 0, 'latin1');
  if (at === -1) return [];
  const text = bytes.toString('latin1');
  while (at !== -1) {
    const block = thoughtAround(text, at);
    if (block !== null) addTo(places, block, text);
    at = text.indexOf(mark, block?.end ?? at + mark.length);
  }
  return places.map((place) => withComma(text, place));
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Neighbours are one removal: each with its comma, they would take the same one. */
function addTo(places: Place[], block: Place, text: string): void {
  const last = places.at(-1);
  if (last === undefined || !/^\s*,\s*$/.test(text.slice(last.end, block.start))) places.push(block);
  else places[places.length - 1] = { start: last.start, end: block.end };
}

/** The flat object that holds the value at `at`, where it is a thinking block; else null. */
function thoughtAround(text: string, at: number): Place | null {
  let start = at;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    start = text.lastIndexOf('{', start - 1);
    if (start === -1) return null;
    FLAT_OBJECT.lastIndex = start;
    const object = FLAT_OBJECT.exec(text)?.[0];
    if (object === undefined || start + object.length <= at) continue;
    return IS_THOUGHT.test(object) ? { start, end: start + object.length } : null;
  }
  return null;
}

/** A thought may be full of braces; further back than this many of them nobody looks. */
const TRIES_MAX = 1_000;
/**
 * An object with plain values only. A quote inside a string is escaped, so a brace that stands in a text is
 * never followed by a name and its colon.
 */
const FLAT_OBJECT = /\{(?:\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null|true|false|[-+.\deE]+)\s*,?)*\s*\}/y;
const IS_THOUGHT = /"type"\s*:\s*"(?:redacted_)?thinking"/;

/** No comma may be left behind: the one after the block goes with it, of a last block the one before. */
function withComma(text: string, { start, end }: Place): Edit {
  const after = skipSpace(text, end, 1);
  if (text[after] === ',') return { start, end: after + 1, insert: NOTHING };
  const before = skipSpace(text, start - 1, -1);
  return { start: text[before] === ',' ? before : start, end, insert: NOTHING };
}

function skipSpace(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at += step;
  return at;
}

const NOTHING = Buffer.alloc(0);
