/** OpenAI's chat completions format: https://platform.openai.com/docs/api-reference/chat */
import { sseComment } from '../../wire/sse.ts';
import type { Dialect } from '../dialect.ts';
import { openPatcher } from './answer-patcher.ts';
import { answerWords } from './answer-words.ts';
import { readInlineMedia } from './inline-media.ts';
import { OpenAiMeter } from './meter.ts';
import { patchRequest } from './patch-request.ts';
import { peek } from './peek.ts';
import { readError } from './read-error.ts';
import { readEventError } from './read-event-error.ts';
import { readLabels } from './read-labels.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import { spelling, watchedKeys } from './spelling.ts';
import { OpenAiStreamReader } from './stream-reader.ts';
import { OpenAiStreamWriter } from './stream-writer.ts';
import { writeError, writeStreamError } from './write-error.ts';
import { writeRequest } from './write-request.ts';
import { writeResponse } from './write-response.ts';

export const openaiChat: Dialect = {
  name: 'openai-chat',
  requestIdHeader: 'x-request-id',
  watchedKeys,
  scan: { watchedKeys, spelling },
  peek,
  peekPrompt: peek,
  readLabels,
  readRequest,
  writeResponse,
  openWriter: (context) => new OpenAiStreamWriter(context),
  writeError,
  writeStreamError,
  ping: sseComment('ping'),
  writeRequest,
  readInlineMedia,
  readResponse,
  openReader: () => new OpenAiStreamReader(),
  patchRequest,
  openPatcher,
  answerWords,
  readError,
  readEventError,
  openMeter: (peeked, tokenizer) => new OpenAiMeter(peeked.choices, tokenizer),
};
