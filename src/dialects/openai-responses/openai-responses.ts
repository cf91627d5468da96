/** OpenAI's Responses format: https://platform.openai.com/docs/api-reference/responses */
import { sseComment } from '../../wire/frames/sse-splitter.ts';
import type { RelayDialect } from '../dialect.ts';
import { readConversation } from '../kit/peek/read-conversation.ts';
import { answerWords } from './answer/answer-words.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { openWriter } from './answer/stream-writer.ts';
import { readCount, writeCount } from './answer/token-count.ts';
import { writeResponse } from './answer/write-response.ts';
import { readError } from './errors/read-error.ts';
import { readEventError } from './errors/read-event-error.ts';
import { writeError, writeStreamError } from './errors/write-error.ts';
import { openMeter } from './meter/meter.ts';
import { ESCAPE } from './peek/compaction-trigger.ts';
import { lastSigner } from './peek/last-signer.ts';
import { peek } from './peek/peek.ts';
import { peekCompaction } from './peek/peek-compaction.ts';
import { peekPrompt } from './peek/peek-prompt.ts';
import { readInlineMedia } from './peek/read-inline-media.ts';
import { readLabels } from './peek/read-labels.ts';
import { spelling, watchedKeys } from './peek/spelling.ts';
import { withoutSearch } from './peek/without-search.ts';
import { type Quirks, readQuirkOptions, usualQuirks } from './quirks.ts';
import { findText } from './relay/find-text.ts';
import { MARK } from './relay/foreign-thoughts.ts';
import { openRelay } from './relay/open-relay.ts';
import { patchRequest } from './relay/patch-request.ts';
import { readRequest } from './request/read-request.ts';
import { counter } from './request/write-count.ts';
import { writeRequest } from './request/write-request.ts';

export const openaiResponses: RelayDialect<'openai-responses', Quirks> = {
  name: 'openai-responses',
  title: 'OpenAI Responses',
  paths: [
    {
      pattern: '/api/v1/responses',
      operation: 'chat',
      plannedAt: '/api/v1/responses/route',
      aliases: ['/v1/responses', '/api/v1/v1/responses', '/responses'],
    },
    {
      pattern: '/api/v1/responses/input_tokens',
      operation: 'count_tokens',
      aliases: ['/v1/responses/input_tokens', '/api/v1/v1/responses/input_tokens', '/responses/input_tokens'],
    },
    {
      pattern: '/api/v1/responses/compact',
      operation: 'compact',
      aliases: ['/v1/responses/compact', '/api/v1/v1/responses/compact', '/responses/compact'],
    },
  ],
  clients: {
    name: 'Responses clients (Codex too)',
    basePath: '/api/v1',
    headers: [['Authorization', 'Bearer {key}']],
  },
  exampleBody: (model, prompt = 'Hello, Turnpike') => ({ model, input: prompt }),
  costLimits: { outputCap: 'max_output_tokens', toolUses: 'Set max_tool_calls' },
  fieldNames: {
    messages: 'input',
    max_tokens: 'max_output_tokens',
    verbosity: 'text.verbosity',
    response_format: 'text.format',
    'response_format.json_schema.schema': 'text.format.schema',
  },
  requestIdHeader: 'x-request-id',
  marks: [MARK, ESCAPE],
  scan: { watchedKeys, spelling },
  peek,
  withoutSearch,
  hasStoredAnswers: true,
  compacting: { peek: peekCompaction },
  counting: { peek: peekPrompt, readCount, writeCount },
  readLabels,
  readConversation,
  lastSigner,
  readRequest,
  writeResponse,
  openWriter,
  writeError,
  writeStreamError,
  caching: {
    streamFields: ['stream', 'stream_options'],
    headers: ['openai-beta', 'x-openai-internal-codex-responses-lite'],
    costPaths: [
      ['usage', 'cost'],
      ['response', 'usage', 'cost'],
    ],
  },
  ping: sseComment('ping'),
  usualQuirks,
  readQuirkOptions,
  takesSound: false,
  usualPaths: { chat: '/v1/responses', below: { count_tokens: '/input_tokens' } },
  writeRequest,
  takesThoughts: (origin, { thoughtOrigin }) => origin === thoughtOrigin,
  inlineMedia: { keys: watchedKeys, read: readInlineMedia },
  readResponse,
  openReader,
  patchRequest,
  openRelay,
  answerWords,
  readError,
  readEventError,
  openMeter,
  counter,
  findText,
};
