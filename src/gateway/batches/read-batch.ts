/** What a request for a new batch says, and which page of the list is asked for. */
import type { NewBatch } from '../../batches/callers-batches.ts';
import type { BatchPage } from '../../batches/ports.ts';
import { GatewayError } from '../../core/errors.ts';
import { parseBatchId } from '../../core/ids.ts';
import type { JsonDocument } from '../../wire/json-document.ts';

export type AskedBatch = Pick<NewBatch, 'endpoint' | 'inputFileId' | 'keptMs' | 'metadata'>;

/** More than any request for a batch has. */
const BODY_BYTES_MAX = 64 * 1024;
const METADATA_MAX = 16;
const NAME_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 512;
/** As JSON: each character may take six. */
const METADATA_BYTES_MAX = 16 * 1024;
const KEPT_SECONDS_MIN = 3_600;
const KEPT_SECONDS_MAX = 2_592_000;
const LIMIT = 20;
const LIMIT_MAX = 100;

/** Throws `GatewayError` 400. */
export function readBatch({ bytes }: JsonDocument): AskedBatch {
  if (bytes.length > BODY_BYTES_MAX) throw new GatewayError('request_too_large');
  const sent = parsed(bytes);
  const inputFileId = textIn(sent, 'input_file_id');
  const endpoint = textIn(sent, 'endpoint');
  if (textIn(sent, 'completion_window') !== '24h') throw invalid('completion_window', 'The only window is 24h.');
  return { inputFileId, endpoint, keptMs: keptIn(sent), metadata: metadataIn(sent) };
}

/** Throws `GatewayError` 400. */
export function readBatchPage(query: string): BatchPage {
  const sent = new URLSearchParams(query);
  const limitText = sent.get('limit') ?? String(LIMIT);
  const limit = /^\d{1,3}$/.test(limitText) ? Number(limitText) : 0;
  if (limit < 1 || limit > LIMIT_MAX) throw invalid('limit', `It must be a whole number from 1 to ${LIMIT_MAX}.`);
  const afterText = sent.get('after') ?? '';
  const after = afterText === '' ? null : parseBatchId(afterText);
  if (after === null && afterText !== '') throw invalid('after', 'It must be the id of a batch.');
  return { after, limit };
}

type Sent = Readonly<Record<string, unknown>>;

function parsed(bytes: Buffer): Sent {
  try {
    return JSON.parse(bytes.toString()) as Sent;
  } catch {
    throw new GatewayError('invalid_json');
  }
}

function textIn(sent: Sent, name: string): string {
  const value = sent[name];
  if (value === undefined || value === null)
    throw new GatewayError('missing_field', { message: `The field ${name} is missing.`, param: name });
  if (typeof value !== 'string') throw invalid(name, 'It must be text.');
  return value;
}

function keptIn({ output_expires_after: sent }: Sent): number | null {
  if (sent === undefined || sent === null) return null;
  const { anchor, seconds } = sent as { readonly anchor?: unknown; readonly seconds?: unknown };
  const isGood =
    Number.isInteger(seconds) && Number(seconds) >= KEPT_SECONDS_MIN && Number(seconds) <= KEPT_SECONDS_MAX;
  if (anchor !== 'created_at' || !isGood)
    throw invalid(
      'output_expires_after',
      `It must be {"anchor": "created_at", "seconds": n} with n from ${KEPT_SECONDS_MIN} to ${KEPT_SECONDS_MAX}.`,
    );
  return Number(seconds) * 1_000;
}

function metadataIn({ metadata: sent }: Sent): NewBatch['metadata'] {
  if (sent === undefined || sent === null) return null;
  if (typeof sent !== 'object' || Array.isArray(sent)) throw invalid('metadata', 'It must be an object of texts.');
  const entries = Object.entries(sent);
  const isGood = ([name, value]: readonly [string, unknown]) =>
    name.length <= NAME_LENGTH_MAX && typeof value === 'string' && value.length <= VALUE_LENGTH_MAX;
  const isShort = Buffer.byteLength(JSON.stringify(sent)) <= METADATA_BYTES_MAX;
  if (entries.length > METADATA_MAX || !entries.every(isGood) || !isShort)
    throw invalid(
      'metadata',
      `It may have ${METADATA_MAX} texts: names of ${NAME_LENGTH_MAX} characters, values of ${VALUE_LENGTH_MAX}.`,
    );
  return Object.fromEntries(entries) as Record<string, string>;
}

function invalid(param: string, what: string): GatewayError {
  return new GatewayError('invalid_value', { message: `"${param}" is invalid. ${what}`, param });
}
