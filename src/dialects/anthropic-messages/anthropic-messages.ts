/** Anthropic's Messages format: https://docs.anthropic.com/en/api/messages */
import type { Dialect } from '../dialect.ts';
import { readError, writeError, writeStreamError } from './errors.ts';
import { watchedKeys } from './governed-fields.ts';
import { AnthropicMeter } from './meter.ts';
import { patchRequest } from './patch-request.ts';
import { openPatcher } from './patcher.ts';
import { peek } from './peek.ts';

export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  requestIdHeader: 'request-id',
  watchedKeys,
  peek,
  writeError,
  writeStreamError,
  ping: Buffer.from('event: ping\ndata: {"type": "ping"}\n\n'),
  patchRequest,
  openPatcher,
  readError,
  openMeter: () => new AnthropicMeter(),
};
