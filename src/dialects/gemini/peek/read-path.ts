/** What a request's path says: the model, and what it is asked for. https://ai.google.dev/api/generate-content */
import type { RequestPath } from '../../interface/inbound.ts';
import { invalid } from '../../kit/errors/request-errors.ts';

/**
 * The model's name, without Google's prefix, and without the version that a client wrote a second time because it was in its base URL too.
 * Throws `GatewayError` 400 if it is not one.
 */
export function readPathModel({ parameters }: RequestPath): string {
  const { model = '' } = parameters;
  const name = model.replace(PREFIX, '');
  if (name.trim() === '') throw invalid('model', '"model" must not be empty.');
  if (name.length > MODEL_LENGTH_MAX) throw invalid('model', '"model" must be the name of a model.');
  return name;
}

/** Whether the answer is streamed, as server-sent events or as an array. */
export function isStreamPath({ path }: RequestPath): boolean {
  return path.endsWith(STREAM_VERB);
}

export function isCountPath({ path }: RequestPath): boolean {
  return path.endsWith(COUNT_VERB);
}

/** Whether vectors of several contents are asked for. */
export function isBatchPath({ path }: RequestPath): boolean {
  return path.endsWith(BATCH_VERB);
}

const PREFIX = /^(?:v1(?:beta)?\/)?models\//;
const MODEL_LENGTH_MAX = 512;
const STREAM_VERB = ':streamGenerateContent';
const COUNT_VERB = ':countTokens';
const BATCH_VERB = ':batchEmbedContents';
