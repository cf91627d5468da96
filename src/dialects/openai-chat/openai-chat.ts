/** OpenAI's chat completions format: https://platform.openai.com/docs/api-reference/chat */
import { sseComment } from '../../wire/frames/sse-splitter.ts';
import type { RelayDialect } from '../dialect.ts';
import { readConversation } from '../kit/peek/read-conversation.ts';
import { answerWords } from './answer/answer-words.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { openWriter } from './answer/stream-writer.ts';
import { writeResponse } from './answer/write-response.ts';
import { readError } from './errors/read-error.ts';
import { readEventError } from './errors/read-event-error.ts';
import { writeError, writeStreamError } from './errors/write-error.ts';
import { openMeter } from './meter/meter.ts';
import { partPaths, parts, usualPartPaths } from './operations/index.ts';
import { lastSigner } from './peek/last-signer.ts';
import { peek } from './peek/peek.ts';
import { readInlineMedia } from './peek/read-inline-media.ts';
import { readLabels } from './peek/read-labels.ts';
import { spelling, watchedKeys } from './peek/spelling.ts';
import { type Quirks, readQuirkOptions, usualQuirks } from './quirks.ts';
import { findText } from './relay/find-text.ts';
import { openRelay } from './relay/open-relay.ts';
import { patchRequest } from './relay/patch-request.ts';
import { readRequest } from './request/read-request.ts';
import { writeRequest } from './request/write-request.ts';

export const openaiChat: RelayDialect<'openai-chat', Quirks> = {
  name: 'openai-chat',
  title: 'OpenAI',
  paths: [
    {
      pattern: '/api/v1/chat/completions',
      operation: 'chat',
      plannedAt: '/api/v1/route',
      aliases: ['/v1/chat/completions', '/api/v1/v1/chat/completions', '/chat/completions'],
    },
    ...partPaths,
  ],
  clients: { name: 'OpenAI clients', basePath: '/api/v1', headers: [['Authorization', 'Bearer {key}']] },
  exampleBody: (model, prompt = 'Hello, Turnpike') => ({ model, messages: [{ role: 'user', content: prompt }] }),
  costLimits: { outputCap: 'max_tokens', toolUses: null },
  requestIdHeader: 'x-request-id',
  scan: { watchedKeys, spelling },
  peek,
  parts,
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
    headers: ['openai-beta'],
    costPaths: [['usage', 'cost']],
  },
  ping: sseComment('ping'),
  usualQuirks,
  readQuirkOptions,
  usualPaths: { chat: '/v1/chat/completions', others: usualPartPaths },
  writeRequest,
  // OpenRouter passes them on to the vendor that they name.
  takesThoughts: (_origin, { reasoningDetails }) => reasoningDetails,
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
};
