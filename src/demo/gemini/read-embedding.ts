/** Reads a request for vectors as Google's interface does: https://ai.google.dev/api/embeddings */
import { asArray, asObject, type JsonObject } from '../../core/json-object.ts';
import { READ_TOKENS_MAX } from '../limits.ts';
import { badRequest, modelNotFound, type Refusal } from '../refusal.ts';
import { DIMENSIONS, DIMENSIONS_MAX, EMBEDDING_MODEL } from '../vector-of.ts';
import { countTokens } from '../words.ts';

/** What the path of a request for vectors says. */
export interface EmbeddingPath {
  readonly model: string;
  readonly isBatch: boolean;
}

export interface EmbeddingAsk {
  readonly texts: readonly string[];
  /** How many numbers each vector has. */
  readonly dimensions: readonly number[];
  readonly tokens: number;
}

/** Null for every other path. */
export function readEmbeddingPath(path: string): EmbeddingPath | null {
  const [, model, method] = /^\/v1beta\/models\/([^/:]{1,100}):(embedContent|batchEmbedContents)$/.exec(path) ?? [];
  return model === undefined ? null : { model, isBatch: method === 'batchEmbedContents' };
}

/** Throws a `Refusal`. */
export function readEmbeddingAsk({ model, isBatch }: EmbeddingPath, body: JsonObject): EmbeddingAsk {
  if (model !== EMBEDDING_MODEL) throw modelNotFound(model);
  const requests = isBatch ? asArray(body['requests']) : [body];
  if (requests.length === 0 || requests.length > REQUESTS_MAX)
    throw badRequest(`A batch has from 1 to ${REQUESTS_MAX} requests.`);
  const texts = requests.map((request) => textOf(asObject(request)));
  const dimensions = requests.map((request) => dimensionsOf(asObject(request)));
  const counts = texts.map((text) => countTokens(text));
  if (counts.some((tokens) => tokens > READ_TOKENS_MAX))
    throw badRequest(`A text may have at most ${READ_TOKENS_MAX} tokens.`);
  return { texts, dimensions, tokens: counts.reduce((sum, tokens) => sum + tokens, 0) };
}

/** Google takes as many. */
const REQUESTS_MAX = 100;

function textOf(request: JsonObject | null): string {
  const parts = asArray(asObject(request?.['content'])?.['parts']);
  if (parts.length === 0) throw badRequest('The content must not be empty.');
  return parts.map((part) => partText(asObject(part))).join('\n');
}

function partText(part: JsonObject | null): string {
  const text = part?.['text'];
  if (typeof text !== 'string') throw onlyText();
  return text;
}

function onlyText(): Refusal {
  return badRequest('The demo makes vectors of text only.');
}

function dimensionsOf(request: JsonObject | null): number {
  const wanted = request?.['outputDimensionality'] ?? DIMENSIONS;
  if (typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 1 && wanted <= DIMENSIONS_MAX) return wanted;
  throw badRequest(`outputDimensionality must be a whole number from 1 to ${DIMENSIONS_MAX}.`);
}
