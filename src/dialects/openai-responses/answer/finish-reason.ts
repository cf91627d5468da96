/**
 * Translates why an answer ended. The format has a status and, for an incomplete answer, a reason.
 *
 * https://platform.openai.com/docs/api-reference/responses/object (status, incomplete_details)
 */
import type { Finish, FinishReason } from '../../../chat/response.ts';
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';

/** The provider's word: the reason of an incomplete answer, otherwise the status; null without either. */
export function reasonWord(response: JsonObject): string | null {
  const reason = asText(asObject(response['incomplete_details'])?.['reason']);
  return (reason ?? asText(response['status']))?.slice(0, WORD_LENGTH_MAX) ?? null;
}

/** Whether a whole answer failed, or is none: one that the provider still works on is an answer to another kind of request. */
export function isFailed({ status, error }: JsonObject): boolean {
  return Boolean(error) || (typeof status === 'string' && FAILURES.has(status));
}

/** What was `seen` in the answer says whether the caller must act. */
export function readFinish(response: JsonObject, seen: { sawCall: boolean; sawRefusal: boolean }): Finish {
  const word = reasonWord(response);
  const isIncomplete = response['status'] === 'incomplete' || response['incomplete_details'] != null;
  let reason: FinishReason = isIncomplete ? (REASONS.get(word ?? '') ?? 'output_cap') : 'end';
  if (reason === 'end' && seen.sawCall) reason = 'tool_calls';
  if (reason === 'end' && seen.sawRefusal) reason = 'refusal';
  return { reason, stopSequence: null, native: word, explanation: null };
}

export interface WrittenFinish {
  readonly status: 'completed' | 'incomplete';
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
}

/** A refusal that the answer contains is a complete answer. */
export function writeFinish(reason: FinishReason, hasRefusal: boolean): WrittenFinish {
  if (reason === 'output_cap' || reason === 'context_window')
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (reason === 'refusal' && !hasRefusal)
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return COMPLETED;
}

const WORD_LENGTH_MAX = 64;

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'output_cap'],
  // OpenRouter and Azure write the words of other formats.
  ['max_tokens', 'output_cap'],
  ['length', 'output_cap'],
  ['content_filter', 'refusal'],
  ['max_prompt_tokens', 'context_window'],
  ['context_length_exceeded', 'context_window'],
]);

const FAILURES: ReadonlySet<string> = new Set(['failed', 'cancelled', 'in_progress', 'queued']);

const COMPLETED: WrittenFinish = { status: 'completed', incomplete_details: null };
