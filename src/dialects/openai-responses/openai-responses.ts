/** OpenAI's Responses format: https://platform.openai.com/docs/api-reference/responses */
import { sseComment } from '../../wire/frames/sse-splitter.ts';
import type { CallerDialect, ProviderDialect } from '../dialect.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { openWriter } from './answer/stream-writer.ts';
import { readCount, writeCount } from './answer/token-count.ts';
import { writeResponse } from './answer/write-response.ts';
import { readError } from './errors/read-error.ts';
import { writeError, writeStreamError } from './errors/write-error.ts';
import { openMeter } from './meter/meter.ts';
import { peek } from './peek/peek.ts';
import { peekPrompt } from './peek/peek-prompt.ts';
import { readInlineMedia } from './peek/read-inline-media.ts';
import { readLabels } from './peek/read-labels.ts';
import { spelling, watchedKeys } from './peek/spelling.ts';
import { type Quirks, usualQuirks } from './quirks.ts';
import { readRequest } from './request/read-request.ts';
import { counter } from './request/write-count.ts';
import { writeRequest } from './request/write-request.ts';

export const openaiResponses: CallerDialect<'openai-responses'> & ProviderDialect<'openai-responses', Quirks> = {
  name: 'openai-responses',
  title: 'OpenAI Responses',
  paths: [
    {
      pattern: '/api/v1/responses',
      operation: 'chat',
      aliases: ['/v1/responses', '/api/v1/v1/responses', '/responses'],
    },
    {
      pattern: '/api/v1/responses/input_tokens',
      operation: 'count_tokens',
      aliases: ['/v1/responses/input_tokens', '/api/v1/v1/responses/input_tokens', '/responses/input_tokens'],
    },
  ],
  clients: {
    name: 'OpenAI clients (Responses, Codex)',
    basePath: '/api/v1',
    headers: [['Authorization', 'Bearer {key}']],
  },
  exampleBody: (model) => ({ model, input: 'Hello, Turnpike' }),
  requestIdHeader: 'x-request-id',
  scan: { watchedKeys, spelling },
  peek,
  counting: { peek: peekPrompt, readCount, writeCount },
  readLabels,
  readRequest,
  writeResponse,
  openWriter,
  writeError,
  writeStreamError,
  ping: sseComment('ping'),
  usualQuirks,
  usualPaths: { chat: '/v1/responses', below: { count_tokens: '/input_tokens' } },
  writeRequest,
  inlineMedia: { keys: watchedKeys, read: readInlineMedia },
  readResponse,
  openReader,
  readError,
  openMeter,
  counter,
};
