/** The relay of an answer that is never a stream, and of which only the prompt is paid for. */
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, readCount } from '../../../core/usage.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import type { Peek } from '../../interface/peek.ts';
import type { PartContext } from '../../interface/relay.ts';
import { WholeMeter, type WholeReading, type WholeUsage } from '../../kit/meter/whole-meter.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { WholeAnswerPatcher } from '../relay/whole-answer-patcher.ts';

export function wholeRelay(reading: WholeReading): OperationPart['openRelay'] {
  return wholeRelayOf(() => reading);
}

/** The same, where how an answer is read depends on what was asked for. */
export function wholeRelayOf(
  readingOf: (peek: Peek, context: PartContext) => WholeReading,
): OperationPart['openRelay'] {
  return (peek, context) =>
    new FrameRelay({
      meter: new WholeMeter(readingOf(peek, context)),
      editor: new WholeAnswerPatcher(peek.wantsUsage, context),
      guard: context.guard,
    });
}

/**
 * `prompt_tokens` and `total_tokens` are the same; Jina and Voyage report the total alone, and some servers a prompt of 0 with it. A server
 * that reports 0 tokens has counted none.
 */
export function readPromptUsage({ usage }: JsonObject): WholeUsage | null {
  const counts = asObject(usage);
  return promptUsage(counts?.['total_tokens'] ?? counts?.['prompt_tokens']);
}

/** Null for an absent count, and for 0. */
export function promptUsage(reported: unknown): WholeUsage | null {
  if (reported === undefined || reported === null || reported === 0) return null;
  const inputTokens = readCount(reported);
  return { usage: { ...NO_USAGE, inputTokens: inputTokens ?? 0 }, isInvalid: inputTokens === null };
}

/** The provider's id of an answer. */
export function idOf({ id }: JsonObject): string | null {
  return typeof id === 'string' ? id.slice(0, ID_LENGTH_MAX) : null;
}

const ID_LENGTH_MAX = 256;
