/**
 * The mark of a vendor before the encrypted thoughts of its answers (`answer/thought-seal.ts`): a caller that changes the model sends them to
 * another vendor, which refuses them, and the format has no field that says whose they are.
 *
 * Inside a string a quote has a backslash before it, so the name with both quotes is that of a field.
 */
import { isSpace } from '../../../wire/json-grammar.ts';
import type { Edit } from '../../../wire/json-splice.ts';

/** The insertions of `tag`, in order of position; of values that are texts and not empty. `bytes` is JSON. */
export function tagThoughts(bytes: Buffer, tag: Buffer): Edit[] {
  const edits: Edit[] = [];
  for (let at = bytes.indexOf(NAME); at !== -1; at = bytes.indexOf(NAME, at)) {
    at += NAME.length;
    const colon = skipSpace(bytes, at);
    if (bytes[colon] !== COLON) continue;
    const start = skipSpace(bytes, colon + 1) + 1;
    if (bytes[start - 1] === QUOTE && bytes[start] !== QUOTE) edits.push({ start, end: start, insert: tag });
  }
  return edits;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at] as number)) at += 1;
  return at;
}

const NAME = Buffer.from('"encrypted_content"');
const COLON = 0x3a;
const QUOTE = 0x22;
