/** Translates why an answer ended: https://ai.google.dev/api/generate-content#FinishReason */
import type { Finish, FinishReason } from '../../../chat/response.ts';
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';

/** The reason of a candidate or of a refused prompt, in the API's words; null without one. */
export interface ReportedFinish {
  readonly word: string;
  readonly message: string | null;
  /** Whether the prompt was refused: there is no candidate then. */
  readonly isBlocked: boolean;
}

export function findFinish(candidate: JsonObject): ReportedFinish | null {
  const word = wordOf(candidate['finishReason']);
  if (word === null || word === 'FINISH_REASON_UNSPECIFIED') return null;
  return { word, message: asText(candidate['finishMessage']), isBlocked: false };
}

/** Of an answer whose prompt was refused. */
export function findBlock(answer: JsonObject): ReportedFinish | null {
  const feedback = asObject(answer['promptFeedback']);
  const word = wordOf(feedback?.['blockReason']);
  if (feedback === null || word === null || word === 'BLOCK_REASON_UNSPECIFIED') return null;
  return { word, message: asText(feedback['blockReasonMessage']), isBlocked: true };
}

/** Whether the answer is incomplete: the model wrote a call that nobody can read. */
export function isFailure({ word }: ReportedFinish): boolean {
  return FAILURES.has(word);
}

export function readFinish(reported: ReportedFinish | null, calledTools: boolean): Finish {
  const reason = reported === null ? 'blank' : reported.isBlocked ? 'refusal' : (REASONS.get(reported.word) ?? 'end');
  return {
    // Calls end with STOP, like everything else.
    reason: calledTools && (reason === 'end' || reason === 'blank') ? 'tool_calls' : reason,
    stopSequence: null,
    native: reported?.word ?? null,
    explanation: reason === 'refusal' ? (reported?.message ?? null) : null,
  };
}

/** What an answer contained, as far as its finish reason depends on it. */
export interface AnswerTraits {
  readonly refused: boolean;
  readonly isEmpty: boolean;
}

/**
 * The fields of a candidate about the end of an answer. Calls end with STOP, like everything else; a refusal keeps Google's own word if it
 * has one.
 */
export function writeFinish({ reason, native, explanation }: Finish, { refused }: AnswerTraits): JsonObject {
  const isRefusal = reason === 'refusal' || (refused && (reason === 'end' || reason === 'blank'));
  const word = isRefusal ? 'SAFETY' : WORDS[reason];
  return {
    finishReason: isRefusal && native !== null && REASONS.get(native) === 'refusal' ? native : word,
    ...(isRefusal && explanation !== null && { finishMessage: explanation }),
  };
}

/** `promptFeedback` of an answer that is nothing but a refusal, which many clients check for; null otherwise. */
export function writeBlock({ reason, native, explanation }: Finish, { isEmpty }: AnswerTraits): JsonObject | null {
  if (reason !== 'refusal' || !isEmpty) return null;
  return {
    blockReason: native !== null && BLOCKS.has(native) ? native : 'SAFETY',
    ...(explanation !== null && { blockReasonMessage: explanation }),
  };
}

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'end'],
  ['MAX_TOKENS', 'output_cap'],
  ['SAFETY', 'refusal'],
  ['RECITATION', 'refusal'],
  ['LANGUAGE', 'refusal'],
  ['BLOCKLIST', 'refusal'],
  ['PROHIBITED_CONTENT', 'refusal'],
  ['SPII', 'refusal'],
  ['MODEL_ARMOR', 'refusal'],
  ['IMAGE_SAFETY', 'refusal'],
  ['IMAGE_PROHIBITED_CONTENT', 'refusal'],
  ['IMAGE_RECITATION', 'refusal'],
]);

const FAILURES: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
]);

const WORD_LENGTH_MAX = 256;

function wordOf(value: unknown): string | null {
  return asText(value)?.slice(0, WORD_LENGTH_MAX) ?? null;
}

const WORDS: Readonly<Record<FinishReason, string>> = {
  end: 'STOP',
  stop_sequence: 'STOP',
  output_cap: 'MAX_TOKENS',
  context_window: 'MAX_TOKENS',
  tool_calls: 'STOP',
  refusal: 'SAFETY',
  paused: 'STOP',
  blank: 'STOP',
};

const BLOCKS: ReadonlySet<string> = new Set([
  ...['SAFETY', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'IMAGE_SAFETY', 'MODEL_ARMOR', 'JAILBREAK'],
]);
