/**
 * Amazon Bedrock's Converse and ConverseStream: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 *
 * The model and whether the answer is streamed are in the path; the framing of a stream is `aws-event-stream`.
 */
import { ANTHROPIC_REASONING } from '../../chat/request.ts';
import type { ProviderDialect } from '../dialect.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { readError } from './errors/read-error.ts';
import { readEventError } from './errors/read-event-error.ts';
import { openMeter } from './meter/meter.ts';
import { type Quirks, quirksOfModel, readQuirkOptions, usualQuirks } from './quirks.ts';
import { counter } from './request/write-count.ts';
import { writeRequest } from './request/write-request.ts';

export const bedrockConverse: ProviderDialect<'bedrock-converse', Quirks> = {
  name: 'bedrock-converse',
  writeRequest,
  takesThoughts: (origin, { family }) => family === 'claude' && origin === ANTHROPIC_REASONING,
  readResponse,
  openReader,
  readError,
  readEventError,
  openMeter,
  counter,
  usualQuirks,
  quirksOfModel,
  readQuirkOptions,
};
