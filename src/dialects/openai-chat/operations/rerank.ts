/**
 * Documents in the order of how well they answer a query, in Cohere's and Jina's form: https://docs.cohere.com/v2/reference/rerank,
 * https://jina.ai/reranker. Others have it with fields of their own, which pass: Together, vLLM (https://docs.vllm.ai/en/latest/models/pooling_models.html),
 * and Voyage, whose answers have `data` in place of `results`: https://docs.voyageai.com/reference/reranker-api
 */
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import { countItems } from '../../../wire/array-items.ts';
import type { JsonDocument, WatchedField } from '../../../wire/json-document.ts';
import { arrayIsEmpty } from '../../../wire/json-read.ts';
import { normalisedGrowth } from '../../../wire/normalised-growth.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import type { WholeUsage } from '../../kit/meter/whole-meter.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';
import { patchPart } from './patch-part.ts';
import { partReader } from './peek-part.ts';
import { SEARCH, searchesAsked, searchesOf, searchesReported } from './searches.ts';
import { idOf, promptUsage, readPromptUsage, wholeRelayOf } from './whole-relay.ts';

const { present, required } = requestFields;

/** The model reads them with each document: in vLLM an instruction, and what a template is filled with. */
const REPEATED = ['query', 'instruction', 'chat_template_kwargs'] as const;
/** vLLM's fields by which a short body can mean a long prompt. */
const WITHOUT_BOUND = ['chat_template', 'mm_processor_kwargs', 'media_io_kwargs'] as const;

const read = partReader({
  read: ['documents', ...REPEATED, ...WITHOUT_BOUND],
  prompt: ['documents', ...REPEATED],
});

export const rerank: OperationPart = {
  exampleBody: (model) => ({ model, query: 'Hello, Turnpike', documents: ['A greeting', 'A toll gate'] }),
  peek({ document }) {
    const peek = read(document);
    const documents = countDocuments(document);
    const repeated = repeatedBytes(document);
    return {
      ...peek,
      // Each document has a context window of its own, in which the query is read again.
      requests: documents,
      repeatedTokens: (documents - 1) * (repeated.bytes + repeated.growth) + documents * TEMPLATE_TOKENS,
      promptBytes: peek.promptBytes + (documents - 1) * repeated.bytes,
      units: searchesAsked(document, documents, repeated.bytes + repeated.growth, peek.growth),
      promptUnbounded: document.watched.some(isMedia) || WITHOUT_BOUND.some((name) => present(document, name) !== null),
    };
  },
  patchRequest: patchPart,
  openRelay: wholeRelayOf(({ units }, context) => ({
    isAnswer: ({ results, data }) => Array.isArray(results) || Array.isArray(data),
    readUsage,
    readUnits: (answer) => searchesOf(answer, context.unitLine(SEARCH), units),
    idOf,
  })),
};

/**
 * What a model's own template adds to each document, at most: about 70 tokens with the default instruction of Qwen's rerankers,
 * https://huggingface.co/Qwen/Qwen3-Reranker-8B
 */
const TEMPLATE_TOKENS = 128;

/** A single one need not be in a list. Throws `GatewayError` 400 without query or documents. */
function countDocuments(document: JsonDocument): number {
  const query = required(document, 'query');
  if (query.type !== 'string' && query.type !== 'object') throw invalid('query', '"query" must be a text.');
  const documents = required(document, 'documents');
  if (documents.type === 'string' || documents.type === 'object') return 1;
  if (documents.type !== 'array') throw invalid('documents', '"documents" must be a list of texts or of objects.');
  if (arrayIsEmpty(document, documents)) throw invalid('documents', '"documents" must not be empty.');
  refuseManyValues(document, 'documents');
  return countItems(document.bytes, documents);
}

function repeatedBytes(document: JsonDocument): { readonly bytes: number; readonly growth: number } {
  let bytes = 0;
  let growth = 0;
  for (const name of REPEATED) {
    const field = present(document, name);
    if (field === null) continue;
    bytes += field.valueEnd - field.valueStart;
    growth += normalisedGrowth(document.bytes.subarray(field.valueStart, field.valueEnd));
  }
  return { bytes, growth };
}

/** Of the keys that the scan of a body watches for, `url`, `source` and `data` are as well those of a text's own facts. */
function isMedia({ path, type }: WatchedField): boolean {
  if (type === 'null' || !/^(?:documents|query)\b/.test(path)) return false;
  return MEDIA.has(path.slice(path.lastIndexOf('.') + 1));
}

const MEDIA: ReadonlySet<string> = new Set([
  ...['image', 'video', 'audio', 'image_url', 'video_url', 'audio_url', 'file_url', 'document_url'],
  ...['input_audio', 'input_video', 'inline_data', 'file_data'],
]);

/** Cohere reports tokens in addition to the searches that it charges for. */
function readUsage(answer: JsonObject): WholeUsage | null {
  const read = readPromptUsage(answer) ?? promptUsage(asObject(asObject(answer['meta'])?.['tokens'])?.['input_tokens']);
  if (searchesReported(answer) !== 'nonsense') return read;
  return { usage: read?.usage ?? NO_USAGE, isInvalid: true };
}
