/**
 * Vectors of texts or of tokens: https://platform.openai.com/docs/api-reference/embeddings/create. Others have the same request and answer,
 * with fields of their own, which pass: https://docs.voyageai.com/reference/embeddings-api, https://jina.ai/embeddings
 */
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, readCount } from '../../../core/usage.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { arrayIsEmpty } from '../../../wire/json-read.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import type { Peek } from '../../interface/peek.ts';
import type { Relay, RelayContext } from '../../interface/relay.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { WholeMeter, type WholeReading, type WholeUsage } from '../../kit/meter/whole-meter.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { WholeAnswerPatcher } from '../relay/whole-answer-patcher.ts';
import { patchPart } from './patch-part.ts';
import { partReader } from './peek-part.ts';

const read = partReader({
  read: ['input', 'dimensions', 'encoding_format', 'user', 'input_type'],
  prompt: ['input'],
});

export const embeddings: OperationPart = {
  exampleBody: (model) => ({ model, input: 'Hello, Turnpike' }),
  peek({ document }) {
    const peek = read(document);
    requireInput(document);
    // Each input has a context window of its own, and there are fewer of them than values.
    return { ...peek, requests: document.values, promptUnbounded: hasMedia(document) };
  },
  patchRequest: patchPart,
  openRelay,
};

function requireInput(document: JsonDocument): void {
  const input = requestFields.required(document, 'input');
  if (input.type !== 'string' && input.type !== 'array' && input.type !== 'object')
    throw invalid('input', '"input" must be a text, a list of texts, or a list of tokens.');
  if (input.type === 'array' && arrayIsEmpty(document, input)) throw invalid('input', '"input" must not be empty.');
}

/** Images and sounds have keys that the scan of a body watches for; their tokens have no bound that is known here. */
function hasMedia({ watched }: JsonDocument): boolean {
  return watched.some(({ path, type }) => path.startsWith('input') && type !== 'null');
}

function openRelay(peek: Peek, context: RelayContext): Relay {
  return new FrameRelay({
    meter: new WholeMeter(reading),
    editor: new WholeAnswerPatcher(peek.wantsUsage, context),
    guard: context.guard,
  });
}

const reading: WholeReading = {
  isAnswer: ({ data }) => Array.isArray(data),
  readUsage,
};

/** `prompt_tokens` and `total_tokens` are the same; Jina and Voyage report the total alone. */
function readUsage({ usage }: JsonObject): WholeUsage | null {
  const counts = asObject(usage);
  const reported = counts?.['prompt_tokens'] ?? counts?.['total_tokens'] ?? null;
  if (reported === null) return null;
  const inputTokens = readCount(reported);
  return { usage: { ...NO_USAGE, inputTokens: inputTokens ?? 0 }, isInvalid: inputTokens === null };
}
