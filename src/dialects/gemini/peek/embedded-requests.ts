/** The requests of `batchEmbedContents`, walked in place: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { isSpace } from '../../../wire/json-grammar.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';

/** The bytes of a value. */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
}

/** Where each request names its model; null for one that does not. Throws `GatewayError` 400 for what is not a list of requests. */
export function modelsOfRequests(document: JsonDocument, requests: JsonField): readonly (ValuePlace | null)[] {
  const { bytes } = document;
  if (requests.type !== 'array') throw invalid('requests', '"requests" must be an array.');
  refuseManyValues(document, 'requests');
  const found: (ValuePlace | null)[] = [];
  let at = requests.valueStart + 1;
  while (at < requests.valueEnd - 1) {
    const byte = bytes[at] as number;
    if (isSpace(byte) || byte === COMMA) {
      at += 1;
      continue;
    }
    if (found.length === REQUESTS_MAX) throw invalid('requests', `"requests" may have at most ${REQUESTS_MAX} items.`);
    found.push(readRequest(bytes, at, requests.valueEnd, `requests[${found.length}]`));
    at = cursor.objectEnd;
  }
  return found;
}

/** Google takes 100, and Vertex 250. */
const REQUESTS_MAX = 1_000;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const MODEL = Buffer.from('"model"');
/** Shared: every walk ends before the next one begins. */
const cursor = new FieldCursor();

function readRequest(bytes: Buffer, start: number, end: number, path: string): ValuePlace | null {
  let model: ValuePlace | null = null;
  let hasContent = false;
  cursor.open(bytes, start, end);
  while (cursor.next()) {
    const { keyStart, keyEnd } = cursor;
    // A provider reads an escaped name as what it means.
    if (bytes.subarray(keyStart, keyEnd).includes(BACKSLASH)) throw invalid(path, `A name in "${path}" is escaped.`);
    if (cursor.keyIs(CONTENT)) hasContent = true;
    if (!cursor.keyIs(MODEL)) continue;
    if (model !== null) throw invalid(`${path}.model`, `"${path}.model" is there twice.`);
    model = { start: cursor.valueStart, end: cursor.valueEnd };
  }
  if (cursor.broken || !hasContent) throw invalid(path, `"${path}" must be an object with "content".`);
  return model;
}

const CONTENT = Buffer.from('"content"');
