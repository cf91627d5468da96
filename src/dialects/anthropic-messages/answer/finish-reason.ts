/**
 * Translates why an answer ended, from and to the Messages API.
 *
 * https://docs.anthropic.com/en/api/handling-stop-reasons
 */
import type { Finish, FinishReason } from '../../../chat/response.ts';
import { isObject, type JsonObject } from '../../../core/json-object.ts';

/** What an answer contained, as far as its stop reason depends on it. */
export interface AnswerTraits {
  readonly calledTools: boolean;
  readonly refused: boolean;
}

/**
 * Reads `stop_reason`, `stop_sequence` and `stop_details`, which occur together in a whole answer and in the `delta` of `message_delta`. An
 * unknown reason is an ordinary end; no reason is `blank`.
 */
export function readFinish(holder: JsonObject, calledTools: boolean): Finish {
  const { stop_reason: native, stop_sequence: stopSequence, stop_details: details } = holder;
  if (typeof native !== 'string' || native === '') return NO_REASON;
  const named = REASONS.get(native) ?? 'end';
  const explanation = isObject(details) ? details['explanation'] : null;
  return {
    // Servers that imitate the format send `end_turn` after tool calls; clients would then never run the tools.
    reason: named === 'end' && calledTools ? 'tool_calls' : named,
    stopSequence: typeof stopSequence === 'string' ? stopSequence : null,
    native,
    explanation: typeof explanation === 'string' ? explanation : null,
  };
}

/** The fields about the end of an answer. `stop_details` is set only for a refusal. */
export function writeFinish(finish: Finish, traits: AnswerTraits): JsonObject {
  const reason = reasonOf(finish, traits);
  return {
    stop_reason: reason,
    stop_sequence: reason === 'stop_sequence' ? finish.stopSequence : null,
    ...(reason === 'refusal'
      ? { stop_details: { type: 'refusal', category: null, explanation: finish.explanation } }
      : {}),
  };
}

/** The provider gave no reason. */
export const NO_REASON: Finish = { reason: 'blank', stopSequence: null, native: null, explanation: null };

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'end'],
  ['max_tokens', 'output_cap'],
  ['stop_sequence', 'stop_sequence'],
  ['tool_use', 'tool_calls'],
  ['pause_turn', 'paused'],
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context_window'],
]);

const WORDS: Readonly<Record<FinishReason, string>> = {
  end: 'end_turn',
  stop_sequence: 'stop_sequence',
  output_cap: 'max_tokens',
  context_window: 'model_context_window_exceeded',
  tool_calls: 'tool_use',
  refusal: 'refusal',
  paused: 'pause_turn',
  blank: 'end_turn',
};

/** Other formats end with "stop" if tools were called or the model refused; here both have a separate reason. */
function reasonOf({ reason }: Finish, { calledTools, refused }: AnswerTraits): string {
  if (reason !== 'end' && reason !== 'blank') return WORDS[reason];
  if (calledTools) return 'tool_use';
  return refused ? 'refusal' : WORDS[reason];
}
