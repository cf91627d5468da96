/** The demo's vectors: texts with words in common point in similar directions, so a search by them finds something. */
import { splitTokens } from './words.ts';

/** The demo's model for vectors. */
export const EMBEDDING_MODEL = 'embed';
export const DIMENSIONS = 64;
/** As large as Google's and OpenAI's. */
export const DIMENSIONS_MAX = 3_072;

/** Of length one; each word adds to one of its numbers. */
export function vectorOf(text: string, dimensions: number): readonly number[] {
  const values = new Array<number>(dimensions).fill(0);
  for (const token of splitTokens(text)) {
    const hash = hashOf(token.trim().toLowerCase());
    const at = (hash >>> 1) % dimensions;
    values[at] = (values[at] ?? 0) + (hash % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...values);
  if (length === 0) return values.fill(1 / Math.sqrt(dimensions));
  return values.map((value) => value / length);
}

/** FNV-1a, 32 bits. */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
