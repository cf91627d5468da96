/**
 * Peeks at a request for vectors, of one content or of several.
 *
 * https://ai.google.dev/api/embeddings
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { Inbound } from '../../interface/inbound.ts';
import type { Peek } from '../../interface/peek.ts';
import { invalid, missing } from '../../kit/errors/request-errors.ts';
import { promptBytesOf } from '../../kit/peek/prompt-bytes.ts';
import { modelsOfRequests, type ValuePlace } from './embedded-requests.ts';
import { MODEL_BYTES_MAX, refuseGovernedFields, refuseModel } from './governed-fields.ts';
import { present } from './peeked-fields.ts';
import { readInlineMedia } from './read-inline-media.ts';
import { isBatchPath, readPathModel } from './read-path.ts';

/** Throws `GatewayError` 400, also for a request in a batch that names another model than the path. */
export function peekEmbedding(inbound: Inbound): Peek {
  const { document } = inbound;
  const model = readPathModel(inbound);
  const isBatch = isBatchPath(inbound);
  refuseGovernedFields(document, model);
  const requests = isBatch ? countRequests(document, model) : null;
  if (!isBatch && present(document, 'content')?.type !== 'object') throw missingContent(document);
  const media = readInlineMedia(document);
  return {
    model,
    stream: false,
    outputCap: 0,
    choices: 1,
    hasTools: false,
    namedTools: 0,
    wantsUsage: true,
    hasFormat: false,
    promptUnbounded: !media.isBounded,
    serverToolUses: 0,
    searchField: null,
    compacts: false,
    media,
    promptBytes: promptBytesOf(document, PROMPT_FIELDS, media),
    bodyBytes: document.bytes.length,
    values: document.values,
    growth: document.growth ?? normalisedGrowth(document.bytes),
    predictedTokens: 0,
    needsTarget: false,
    ...(requests !== null && { requests }),
  };
}

const PROMPT_FIELDS: readonly string[] = ['content', 'requests'];

function missingContent(document: JsonDocument): Error {
  const field = present(document, 'content');
  return field === null ? missing('content') : invalid('content', '"content" must be an object.');
}

function countRequests(document: JsonDocument, model: string): number {
  const field = present(document, 'requests');
  if (field === null) throw missing('requests');
  const models = modelsOfRequests(document, field);
  if (models.length === 0) throw invalid('requests', '"requests" must contain at least one request.');
  for (const place of models) if (place !== null) refuseOtherModel(document, place, model);
  return models.length;
}

function refuseOtherModel({ bytes }: JsonDocument, { start, end }: ValuePlace, model: string): void {
  const value: unknown = end - start > MODEL_BYTES_MAX ? undefined : JSON.parse(bytes.toString('utf8', start, end));
  if (value !== null) refuseModel(value, model);
}
