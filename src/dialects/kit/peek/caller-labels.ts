/** Reads what a request of OpenAI's formats says about its caller: https://platform.openai.com/docs/api-reference/chat/create */
import { asObject, asText } from '../../../core/json-object.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import type { CallerLabels } from '../../interface/caller-labels.ts';

/**
 * The first of the fields `users` with a value, and the pairs of the fields `metadata`. Null if none has any. What is longer than any real
 * labels is not read.
 */
export function readCallerLabels(
  document: JsonDocument,
  { users, metadata }: { readonly users: readonly string[]; readonly metadata: readonly string[] },
): CallerLabels | null {
  let user: unknown = null;
  for (const name of users) user ??= readShort(document, name, USER_BYTES_MAX);
  let pairs: (readonly [name: string, value: string])[] | null = null;
  let isCut = user === TOO_LONG;
  for (const name of metadata) {
    const value = readShort(document, name, METADATA_BYTES_MAX);
    if (value === null) continue;
    if (value === TOO_LONG) isCut = true;
    pairs = [...(pairs ?? []), ...(value === TOO_LONG ? [] : readPairs(value))];
    isCut ||= pairs.length > PAIRS_MAX;
  }
  if (user === null && pairs === null) return null;
  return { user: user === TOO_LONG ? null : asText(user), metadata: pairs ?? [], isCut };
}

const USER_BYTES_MAX = 4096;
const METADATA_BYTES_MAX = 16 * 1024;
/** The documented maximum; one more is returned to show that there were more. */
const PAIRS_MAX = 16;
const TOO_LONG = Symbol('too long');

/** Only strings, numbers and booleans are labels. */
function readPairs(metadata: unknown): (readonly [name: string, value: string])[] {
  const object = asObject(metadata);
  const pairs: [string, string][] = [];
  for (const name in object) {
    if (pairs.length > PAIRS_MAX) break;
    const value = object[name];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      pairs.push([name, String(value)]);
  }
  return pairs;
}

function readShort(document: JsonDocument, name: string, bytesMax: number): unknown {
  const field = document.fields.get(name);
  if (field === undefined) return null;
  return field.valueEnd - field.valueStart > bytesMax ? TOO_LONG : readValue(document, field);
}
