/** OpenAI's Responses format: https://platform.openai.com/docs/api-reference/responses */
import type { ProviderDialect } from '../dialect.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { readError } from './errors/read-error.ts';
import { openMeter } from './meter/meter.ts';
import { type Quirks, usualQuirks } from './quirks.ts';
import { writeRequest } from './request/write-request.ts';

export const openaiResponses: ProviderDialect<'openai-responses', Quirks> = {
  name: 'openai-responses',
  usualQuirks,
  usualPaths: { chat: '/v1/responses', below: { count_tokens: '/input_tokens' } },
  writeRequest,
  readResponse,
  openReader,
  readError,
  openMeter,
};
