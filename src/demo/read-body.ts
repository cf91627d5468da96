/** Reads a request's body in small steps, because the demo provider runs in the process that serves all calls. */
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { JsonDocument } from '../wire/json-document.ts';
import { prepareDocument, readDocument } from '../wire/json-read.ts';
import { JsonScan } from '../wire/json-scan.ts';
import { findLargeTexts } from '../wire/large-texts.ts';
import { badRequest, Refusal } from './refusal.ts';

const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Not counting images and documents; more than the demo models' context window. */
const TEXT_BYTES_MAX = 8 * 1024 * 1024;
/** Values and names. */
const VALUES_MAX = 100_000;
const TOO_LARGE =
  'The request is larger than the demo models read: 100,000 values and names, 8 MiB of text without images and documents, and 64 MiB in all.';
/** A smaller body is read in one turn. */
const SMALL_BYTES = 64 * 1024;

/** The body, which is a JSON object. Throws a `Refusal`. */
export async function readBody(request: IncomingMessage): Promise<JsonObject> {
  try {
    const document = await scanBody(request);
    if (document.values > VALUES_MAX) throw tooLarge();
    if (document.bytes.length <= SMALL_BYTES) return readDocument(document) as JsonObject;
    let text = document.bytes.length;
    for (const { start, end } of findLargeTexts(document.bytes)) text -= end - start;
    if (text > TEXT_BYTES_MAX) throw tooLarge();
    prepareDocument(document);
    await nextTurn();
    const body = readDocument(document) as JsonObject;
    await nextTurn();
    return body;
  } catch (error) {
    if (error instanceof GatewayError)
      throw badRequest(`The request body could not be parsed as JSON: ${error.message}`);
    throw error;
  }
}

/** Scans the body as it arrives. */
async function scanBody(request: IncomingMessage): Promise<JsonDocument> {
  const scan = new JsonScan();
  let bytes = Buffer.allocUnsafe(capacityFor(Number(request.headers['content-length'] ?? 0)));
  let filled = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    const length = filled + chunk.length;
    if (length > bytes.length) {
      const grown = Buffer.allocUnsafe(capacityFor(2 * length));
      bytes.copy(grown, 0, 0, filled);
      bytes = grown;
    }
    if (length > bytes.length) throw tooLarge();
    chunk.copy(bytes, filled);
    filled = length;
    scan.feed(bytes, filled);
  }
  return scan.finish(bytes, filled);
}

function capacityFor(length: number): number {
  return Math.min(Math.max(length, SMALL_BYTES), BODY_BYTES_MAX);
}

function tooLarge(): Refusal {
  return new Refusal(413, TOO_LARGE, { code: 'request_too_large' });
}
