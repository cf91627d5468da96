/** Anthropic's Messages format: https://docs.anthropic.com/en/api/messages */
import { ANTHROPIC_REASONING } from '../../chat/request.ts';
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
import { lastSigner } from './peek/last-signer.ts';
import { peek } from './peek/peek.ts';
import { peekPrompt } from './peek/peek-prompt.ts';
import { readInlineMedia } from './peek/read-inline-media.ts';
import { spelling, watchedKeys } from './peek/spelling.ts';
import { type Quirks, quirksOfModel, readQuirkOptions, usualQuirks } from './quirks.ts';
import { findText } from './relay/find-text.ts';
import { MARK } from './relay/foreign-thoughts.ts';
import { openRelay } from './relay/open-relay.ts';
import { patchRequest } from './relay/patch-request.ts';
import { readRequest } from './request/read-request.ts';
import { counter } from './request/write-count.ts';
import { writeRequest } from './request/write-request.ts';

export const anthropicMessages: RelayDialect<'anthropic-messages', Quirks> = {
  name: 'anthropic-messages',
  title: 'Anthropic',
  paths: [
    {
      pattern: '/v1/messages',
      operation: 'chat',
      plannedAt: '/v1/messages/route',
      aliases: ['/api/v1/messages', '/api/v1/v1/messages', '/v1/v1/messages', '/api/messages', '/messages'],
    },
    {
      pattern: '/v1/messages/count_tokens',
      operation: 'count_tokens',
      aliases: ['/api/v1/messages/count_tokens', '/api/v1/v1/messages/count_tokens', '/v1/v1/messages/count_tokens'],
    },
  ],
  clients: {
    name: 'Anthropic clients (Claude Code too)',
    basePath: '',
    headers: [
      ['x-api-key', '{key}'],
      ['anthropic-version', '2023-06-01'],
    ],
  },
  modelList: { shape: 'anthropic' },
  isClient: (headers) => headers['anthropic-version'] !== undefined,
  exampleBody: (model, prompt = 'Hello, Turnpike') => ({
    model,
    max_tokens: 256,
    messages: [{ role: 'user', content: prompt }],
  }),
  costLimits: {
    outputCap: 'max_tokens',
    toolUses: 'Set max_uses on the tool if it supports that (dated web search and web fetch tools)',
  },
  fieldNames: {
    stop: 'stop_sequences',
    parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    response_format: 'output_config.format',
    'response_format.json_schema.schema': 'output_config.format.schema',
  },
  requestIdHeader: 'request-id',
  marks: [MARK],
  scan: { watchedKeys, spelling },
  peek,
  counting: { peek: peekPrompt, readCount, writeCount },
  readConversation,
  lastSigner,
  readRequest,
  writeResponse,
  openWriter,
  writeError,
  writeStreamError,
  caching: { streamFields: ['stream'], headers: ['anthropic-beta', 'anthropic-version'] },
  ping: Buffer.from('event: ping\ndata: {"type": "ping"}\n\n'),
  usualQuirks,
  takesSound: false,
  quirksOfModel,
  readQuirkOptions,
  usualPaths: { chat: '/v1/messages', below: { count_tokens: '/count_tokens' } },
  writeRequest,
  takesThoughts: (origin) => origin === ANTHROPIC_REASONING,
  inlineMedia: { keys: watchedKeys, read: readInlineMedia },
  readResponse,
  openReader,
  patchRequest,
  openRelay,
  answerWords,
  readError,
  readEventError,
  openMeter,
  findText,
  counter,
};
