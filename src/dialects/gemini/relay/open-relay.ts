/** The relay of one answer in this format. */
import type { Peek } from '../../interface/peek.ts';
import type { Relay, RelayContext } from '../../interface/relay.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { EmbeddingMeter } from '../meter/embedding-meter.ts';
import { openMeter } from '../meter/meter.ts';
import { findText } from './find-text.ts';
import { AnswerPatcher } from './patcher.ts';

export function openRelay(peek: Peek, context: RelayContext): Relay {
  return new FrameRelay({
    meter: openMeter(peek, context.tokenizer),
    editor: new AnswerPatcher(context.callerModel),
    guard: context.guard,
    findText,
  });
}

/** The same for vectors, which have no model's name in them. */
export function openEmbeddingRelay(_peek: Peek, { callerModel, guard }: RelayContext): Relay {
  return new FrameRelay({ meter: new EmbeddingMeter(), editor: new AnswerPatcher(callerModel), guard });
}
