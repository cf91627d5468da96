/**
 * Reads why an answer ended.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html
 */
import type { Finish, FinishReason } from '../../../chat/response.ts';
import { asText, isObject, type JsonObject } from '../../../core/json-object.ts';

/** Whether the reason means that the model's words could not be read: the answer so far is not one. */
export function isFailure(reason: string | null): boolean {
  return reason === 'malformed_model_output' || reason === 'malformed_tool_use';
}

/** `holder` is a whole answer or `messageStop`. An unknown reason is an ordinary end; no reason is `blank`. */
export function readFinish(holder: JsonObject, calledTools: boolean): Finish {
  const native = asText(holder['stopReason']);
  const named = native === null ? 'blank' : (REASONS.get(native) ?? 'end');
  return {
    reason: calledTools && (named === 'end' || named === 'blank') ? 'tool_calls' : named,
    stopSequence: named === 'stop_sequence' ? stopSequenceOf(holder['additionalModelResponseFields']) : null,
    native,
    explanation: null,
  };
}

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'end'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'output_cap'],
  ['stop_sequence', 'stop_sequence'],
  ['guardrail_intervened', 'refusal'],
  ['content_filtered', 'refusal'],
  ['model_context_window_exceeded', 'context_window'],
]);

/** Where Claude reports it: in a whole answer, and in the event of a stream. */
function stopSequenceOf(fields: unknown): string | null {
  if (!isObject(fields)) return null;
  const { delta, stop_sequence: whole } = fields;
  return asText(whole) ?? (isObject(delta) ? asText(delta['stop_sequence']) : null);
}
