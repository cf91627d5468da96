/** Converts text to the type of its option. Other text is kept, and the schema explains why it is refused. */
import type { Kind } from './options.ts';

const TRUE = new Set(['true', 'on', 'yes', '1']);
const FALSE = new Set(['false', 'off', 'no', '0']);

export function readText(text: string, kinds: ReadonlySet<Kind>): unknown {
  if (kinds.has('string') || kinds.has('decimal')) return text;
  const word = text.trim().toLowerCase();
  if (kinds.has('boolean')) return TRUE.has(word) ? true : FALSE.has(word) ? false : text;
  if (kinds.has('null') && (FALSE.has(word) || word === 'null')) return null;
  if (kinds.has('number') && /^-?\d+(\.\d+)?$/.test(word)) return Number(word);
  if (kinds.has('list')) {
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  return text;
}
