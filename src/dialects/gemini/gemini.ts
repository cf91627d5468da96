/** Google's `generateContent`: https://ai.google.dev/api/generate-content */
import type { ProviderDialect } from '../dialect.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { readError } from './errors/read-error.ts';
import { readEventError } from './errors/read-event-error.ts';
import { openMeter } from './meter/meter.ts';
import { type Quirks, quirksOfModel, readQuirkOptions, usualQuirks } from './quirks.ts';
import { findText } from './relay/find-text.ts';
import { writeRequest } from './request/write-request.ts';

export const gemini: ProviderDialect<'gemini', Quirks> = {
  name: 'gemini',
  usualQuirks,
  quirksOfModel,
  readQuirkOptions,
  writeRequest,
  readResponse,
  openReader,
  readError,
  readEventError,
  openMeter,
  findText,
};
