/** Reads what a request says about its caller: https://platform.openai.com/docs/api-reference/chat/create */

import { asObject, asText } from '../../../core/json-object.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import type { CallerLabels } from '../../interface/caller-labels.ts';

/** Null if it says nothing. What is longer than any real labels is not read. */
export function readLabels(document: JsonDocument): CallerLabels | null {
  const user = readShort(document, 'user', USER_BYTES_MAX) ?? readShort(document, 'safety_identifier', USER_BYTES_MAX);
  const metadata = readShort(document, 'metadata', METADATA_BYTES_MAX);
  if (user === null && metadata === null) return null;
  const pairs = metadata === TOO_LONG ? [] : readPairs(metadata);
  return {
    user: user === TOO_LONG ? null : asText(user),
    metadata: pairs,
    isCut: user === TOO_LONG || metadata === TOO_LONG || pairs.length > PAIRS_MAX,
  };
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
