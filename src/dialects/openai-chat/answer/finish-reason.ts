/**
 * Translates why an answer ended, in both directions. The format has five reasons; OpenRouter adds the vendor's own, compatible servers use
 * their own instead.
 *
 * https://platform.openai.com/docs/api-reference/chat/object (finish_reason)
 */
import type { Finish, FinishReason } from '../../../chat/response.ts';
import { asText, type JsonObject } from '../../../core/json-object.ts';

/** The reason that a choice reports; null without one (some vendors write "" for a choice that continues). */
export interface ReportedFinish {
  readonly word: string;
  readonly native: string | null;
  /** The stop sequence that vLLM reports; it may also write a token's number there. */
  readonly stopSequence: string | null;
}

export function findFinish(choice: JsonObject): ReportedFinish | null {
  const word = asText(choice['finish_reason'])?.slice(0, WORD_LENGTH_MAX) ?? null;
  if (word === null) return null;
  const native = asText(choice['native_finish_reason'])?.slice(0, WORD_LENGTH_MAX) ?? null;
  return { word, native, stopSequence: asText(choice['stop_reason']) };
}

/** Whether the reason means that the provider failed: the answer so far is incomplete. */
export function isFailure({ word }: ReportedFinish): boolean {
  return FAILURES.has(word);
}

/** `reported` is null without a reason. What was `seen` in the answer takes precedence if the reason does not fit it. */
export function readFinish(reported: ReportedFinish | null, seen: { sawCall: boolean; sawRefusal: boolean }): Finish {
  const stopSequence = reported?.stopSequence ?? null;
  let reason = reported === null ? 'blank' : reasonOf(reported);
  if (reason === 'end' && stopSequence !== null) reason = 'stop_sequence';
  // Many servers say "stop" although the model called a tool, and the caller must answer the call.
  if (seen.sawCall && (reason === 'end' || reason === 'stop_sequence' || reason === 'blank')) reason = 'tool_calls';
  if (!seen.sawCall && reason === 'tool_calls') reason = 'end';
  if (seen.sawRefusal && reason === 'end') reason = 'refusal';
  return {
    reason,
    stopSequence: reason === 'stop_sequence' ? stopSequence : null,
    native: reported?.native ?? reported?.word ?? null,
    explanation: null,
  };
}

/** The reason for the caller; `oldFunctions`: it expects `function_call`. */
export function writeFinish(reason: FinishReason, oldFunctions = false): string {
  return oldFunctions && reason === 'tool_calls' ? 'function_call' : WORDS[reason];
}

/** The vendor's own word is more precise if it is known and of the same kind. */
function reasonOf({ word, native }: ReportedFinish): FinishReason {
  const reason = REASONS.get(word.toLowerCase()) ?? 'end';
  const finer = native === null ? undefined : FINER.get(native.toLowerCase());
  return finer !== undefined && finer.of === reason ? finer.reason : reason;
}

const WORD_LENGTH_MAX = 64;

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'end'],
  ['length', 'output_cap'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'refusal'],
  // Mistral: https://docs.mistral.ai/api/#operation/createChatCompletion
  ['model_length', 'context_window'],
  // Servers that pass on a vendor's own word.
  ['end_turn', 'end'],
  ['stop_sequence', 'stop_sequence'],
  ['max_tokens', 'output_cap'],
  ['model_context_window_exceeded', 'context_window'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
  // Zhipu: https://docs.bigmodel.cn/api-reference
  ['sensitive', 'refusal'],
  ['pause_turn', 'paused'],
]);

const FINER: ReadonlyMap<string, { readonly of: FinishReason; readonly reason: FinishReason }> = new Map([
  ['stop_sequence', { of: 'end', reason: 'stop_sequence' }],
  ['pause_turn', { of: 'end', reason: 'paused' }],
  ['refusal', { of: 'end', reason: 'refusal' }],
  ['model_context_window_exceeded', { of: 'output_cap', reason: 'context_window' }],
]);

/** OpenRouter; vLLM; DeepSeek (https://api-docs.deepseek.com/api/create-chat-completion); Zhipu. */
const FAILURES: ReadonlySet<string> = new Set(['error', 'abort', 'insufficient_system_resource', 'network_error']);

const WORDS: Readonly<Record<FinishReason, string>> = {
  end: 'stop',
  stop_sequence: 'stop',
  output_cap: 'length',
  context_window: 'length',
  tool_calls: 'tool_calls',
  refusal: 'content_filter',
  paused: 'stop',
  blank: 'stop',
};
