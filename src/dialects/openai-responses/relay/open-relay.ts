/** The relay of one answer in this format. */
import type { Peek } from '../../interface/peek.ts';
import type { Relay, RelayContext } from '../../interface/relay.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { openMeter } from '../meter/meter.ts';
import type { Quirks } from '../quirks.ts';
import { findDelta } from './find-text.ts';
import { ResponsePatcher } from './patcher.ts';

export function openRelay(peek: Peek, context: RelayContext<Quirks>): Relay {
  return new FrameRelay({
    meter: openMeter(peek, context.tokenizer),
    editor: new ResponsePatcher(context),
    guard: context.guard,
    findText: findDelta,
  });
}
