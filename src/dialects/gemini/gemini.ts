/** Google's `generateContent`: https://ai.google.dev/api/generate-content */
import { GOOGLE_REASONING } from '../../chat/request.ts';
import type { RelayDialect } from '../dialect.ts';
import { answerWords } from './answer/answer-words.ts';
import { streamForm } from './answer/array-form.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { openWriter } from './answer/stream-writer.ts';
import { readCount, writeCount } from './answer/token-count.ts';
import { writeResponse } from './answer/write-response.ts';
import { readError } from './errors/read-error.ts';
import { readEventError } from './errors/read-event-error.ts';
import { writeError, writeErrorAlone, writeStreamError } from './errors/write-error.ts';
import { openMeter } from './meter/meter.ts';
import { lastSigner } from './peek/last-signer.ts';
import { peek } from './peek/peek.ts';
import { peekEmbedding } from './peek/peek-embedding.ts';
import { peekPrompt } from './peek/peek-prompt.ts';
import { readInlineMedia } from './peek/read-inline-media.ts';
import { readLabels } from './peek/read-labels.ts';
import { entered, spelling, watchedKeys } from './peek/spelling.ts';
import { type Quirks, quirksOfModel, readQuirkOptions, usualQuirks } from './quirks.ts';
import { findText } from './relay/find-text.ts';
import { MARK } from './relay/foreign-thoughts.ts';
import { openEmbeddingRelay, openRelay } from './relay/open-relay.ts';
import { patchRequest } from './relay/patch-request.ts';
import { readRequest } from './request/read-request.ts';
import { counter } from './request/write-count.ts';
import { writeRequest } from './request/write-request.ts';

/**
 * Clients differ in the version (`@google/genai` 3.1 asks `/v1`), and `@ai-sdk/google` leaves out `models/` if the model's name has a
 * slash. A base URL with `/api` is that of OpenAI's clients.
 */
function aliasesOf(verb: string): readonly string[] {
  return ['/v1', '/api/v1beta', '/api/v1', '/v1beta']
    .flatMap((base) => [`${base}/models/{model}:${verb}`, `${base}/{model}:${verb}`])
    .filter((path) => path !== `/v1beta/models/{model}:${verb}`)
    .toSorted((one, other) => other.length - one.length);
}

export const gemini: RelayDialect<'gemini', Quirks> = {
  name: 'gemini',
  title: 'Google',
  paths: [
    {
      pattern: '/v1beta/models/{model}:generateContent',
      operation: 'chat',
      aliases: aliasesOf('generateContent'),
    },
    {
      pattern: '/v1beta/models/{model}:streamGenerateContent',
      operation: 'chat',
      streams: true,
      aliases: aliasesOf('streamGenerateContent'),
    },
    {
      pattern: '/v1beta/models/{model}:countTokens',
      operation: 'count_tokens',
      aliases: aliasesOf('countTokens'),
    },
    { pattern: '/v1beta/models/{model}:embedContent', operation: 'embeddings', aliases: aliasesOf('embedContent') },
    {
      pattern: '/v1beta/models/{model}:batchEmbedContents',
      operation: 'embeddings',
      aliases: aliasesOf('batchEmbedContents'),
    },
  ],
  clients: {
    name: 'Google clients (Gemini CLI too)',
    basePath: '',
    headers: [['x-goog-api-key', '{key}']],
  },
  isClient: (headers) => headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined,
  credential: { header: 'x-goog-api-key', refusedParameters: ['key', 'access_token', 'oauth_token'] },
  modelList: { shape: 'google', path: '/v1beta/models' },
  exampleBody: (_model, prompt = 'Hello, Turnpike') => ({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
  costLimits: { outputCap: 'generationConfig.maxOutputTokens', toolUses: null },
  fieldNames: {
    messages: 'contents',
    tool_choice: 'toolConfig',
    max_tokens: 'generationConfig.maxOutputTokens',
    stop: 'generationConfig.stopSequences',
    temperature: 'generationConfig.temperature',
    top_p: 'generationConfig.topP',
    top_k: 'generationConfig.topK',
    frequency_penalty: 'generationConfig.frequencyPenalty',
    presence_penalty: 'generationConfig.presencePenalty',
    seed: 'generationConfig.seed',
    response_format: 'generationConfig.responseMimeType',
    json_object: 'generationConfig.responseMimeType',
    'response_format.json_schema.schema': 'generationConfig.responseSchema',
  },
  requestIdHeader: 'x-request-id',
  marks: [MARK],
  scan: { watchedKeys, spelling, entered },
  peek,
  counting: { peek: peekPrompt, readCount, writeCount },
  parts: {
    embeddings: {
      exampleBody: () => ({ content: { parts: [{ text: 'Hello, Turnpike' }] } }),
      peek: peekEmbedding,
      openRelay: openEmbeddingRelay,
    },
  },
  readLabels,
  lastSigner,
  readRequest,
  writeResponse,
  openWriter,
  writeError,
  writeStreamError,
  writeErrorAlone,
  caching: { streamFields: [], headers: [] },
  ping: Buffer.from(': ping\r\n\r\n'),
  streamForm,
  usualQuirks,
  quirksOfModel,
  readQuirkOptions,
  writeRequest,
  takesThoughts: (origin) => origin === GOOGLE_REASONING,
  readResponse,
  openReader,
  readError,
  readEventError,
  openMeter,
  findText,
  counter,
  inlineMedia: { keys: watchedKeys, read: readInlineMedia },
  patchRequest,
  openRelay,
  answerWords,
};
