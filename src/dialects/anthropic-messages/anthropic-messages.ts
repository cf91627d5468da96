/** Anthropic's Messages format: https://docs.anthropic.com/en/api/messages */
import type { Dialect } from '../dialect.ts';
import { readEventError } from './answer-error.ts';
import { answerWords } from './answer-words.ts';
import { readError, writeError, writeStreamError } from './errors.ts';
import { MARK, MARKS_MAX } from './foreign-thoughts.ts';
import { watchedKeys } from './governed-fields.ts';
import { readInlineMedia } from './inline-media.ts';
import { AnthropicMeter } from './meter.ts';
import { patchRequest } from './patch-request.ts';
import { openPatcher } from './patcher.ts';
import { peek } from './peek.ts';
import { peekPrompt } from './peek-prompt.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import { spelling } from './spelling.ts';
import { MessagesStreamReader } from './stream-reader.ts';
import { MessagesStreamWriter } from './stream-writer.ts';
import { writeRequest } from './write-request.ts';
import { writeResponse } from './write-response.ts';

export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  requestIdHeader: 'request-id',
  watchedKeys,
  mark: { text: MARK, max: MARKS_MAX },
  scan: { watchedKeys, spelling },
  peek,
  peekPrompt,
  readRequest,
  writeResponse,
  openWriter: (context) => new MessagesStreamWriter(context),
  writeError,
  writeStreamError,
  ping: Buffer.from('event: ping\ndata: {"type": "ping"}\n\n'),
  writeRequest,
  readInlineMedia,
  readResponse,
  openReader: () => new MessagesStreamReader(),
  patchRequest,
  openPatcher,
  answerWords,
  readError,
  readEventError,
  openMeter: (_peek, tokenizer) => new AnthropicMeter(tokenizer),
};
