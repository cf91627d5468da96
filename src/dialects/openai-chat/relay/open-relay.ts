/** The relay of one answer in this format. */
import type { Peek } from '../../interface/peek.ts';
import type { Relay, RelayContext } from '../../interface/relay.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { openMeter } from '../meter/meter.ts';
import { findText } from './find-text.ts';
import { StreamPatcher } from './patcher.ts';
import { WholeAnswerPatcher } from './whole-answer-patcher.ts';

export function openRelay(peek: Peek, context: RelayContext): Relay {
  return new FrameRelay({
    meter: openMeter(peek, context.tokenizer),
    editor: new (peek.stream ? StreamPatcher : WholeAnswerPatcher)(peek.wantsUsage, context),
    guard: context.guard,
    findText,
  });
}
