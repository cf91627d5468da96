/** What a request says of who asks: https://platform.openai.com/docs/api-reference/chat/create */
import type { JsonDocument } from '../../wire/json-document.ts';
import { readValue } from '../../wire/json-read.ts';
import type { SaidLabels } from '../dialect.ts';
import { asObject, asText } from './json-value.ts';

/** Null where it says nothing. What is longer than anybody's labels is not read. */
export function readLabels(document: JsonDocument): SaidLabels | null {
  const user = readShort(document, 'user', USER_BYTES_MAX) ?? readShort(document, 'safety_identifier', USER_BYTES_MAX);
  const metadata = asObject(readShort(document, 'metadata', METADATA_BYTES_MAX));
  if (user === null && metadata === null) return null;
  const pairs = Object.entries(metadata ?? {}).flatMap(([name, value]): [string, string][] =>
    SAID.has(typeof value) ? [[name, String(value)]] : [],
  );
  return { user: asText(user), metadata: pairs };
}

const USER_BYTES_MAX = 4096;
const METADATA_BYTES_MAX = 32 * 1024;
const SAID: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

function readShort(document: JsonDocument, name: string, bytesMax: number): unknown {
  const field = document.fields.get(name);
  return field === undefined || field.valueEnd - field.valueStart > bytesMax ? null : readValue(document, field);
}
