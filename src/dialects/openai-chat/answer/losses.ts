/**
 * Warnings about what is left out of an answer: of a provider's answer because the neutral form cannot express it, of a caller's because
 * this format cannot.
 *
 * Not reported is what every answer has and means nothing elsewhere: ids, times, fingerprints, filter results. Nor are log probabilities: a
 * translated request never asks for them, and warns its caller.
 */
import { quoteWord } from '../../../chat/warnings.ts';
import { asArray, type JsonObject } from '../../../core/json-object.ts';
import { DEPTH_MAX } from '../../../wire/json-scan.ts';

/** A piece of an answer, and an event of a stream. */
export interface Loss {
  readonly type: 'warning';
  readonly text: string;
}

export const OTHER_CHOICES = loss('the provider gave several answers; all but the first were left out');
export const SOUND = loss('the audio of the answer was left out; its transcript is passed on');
export const CITATION_WITHOUT_ADDRESS = loss('a citation without a URL was left out of the answer');

export const HIDDEN_THOUGHT = 'encrypted reasoning was left out of the answer, because no reasoning was requested';
export const EXPLANATION =
  "the provider's explanation of its refusal cannot be expressed in this format and was left out";
export const PAUSED =
  'the provider paused its turn, which appears as a stop in this format; the answer may be incomplete';
export const FURTHER_CALLS = 'an answer can contain only one function_call; further calls were left out';
export const ORDER = 'the order of reasoning, text and tool calls cannot be expressed in this format and was lost';

export function lossOfAnnotation(type: unknown): Loss {
  return loss(`an annotation ${quoteWord(type)} was left out of the answer`);
}

export function lossOfPart(type: unknown): Loss {
  return loss(`a content part ${quoteWord(type)} was left out of the answer`);
}

export function lossOfDetail(type: unknown): Loss {
  return loss(`a detail of the reasoning ${quoteWord(type)} was left out of the answer`);
}

/** Adds the fields of a `message` or a `delta` that are not read and not empty. */
export function addLossesOfMessage(message: JsonObject, losses: { push(loss: Loss): void }): void {
  for (const name in message) {
    if (!READ_OF_MESSAGE.has(name) && holdsSomething(message[name])) losses.push(lossOfField('the message', name));
  }
}

/** The same for an entry of `tool_calls`: Gemini's signatures are there in `extra_content`. */
export function addLossesOfCall(call: JsonObject, losses: { push(loss: Loss): void }): void {
  for (const name in call) {
    if (!READ_OF_CALL.has(name) && holdsSomething(call[name])) losses.push(lossOfField('a tool call', name));
  }
}

/** Adds what vendors that search the web put next to the choices: https://docs.perplexity.ai/api-reference/chat-completions-post */
export function addLossesOfAnswer(answer: JsonObject, losses: { push(loss: Loss): void }): void {
  for (const name of BESIDE_CHOICES) if (asArray(answer[name]).length > 0) losses.push(lossOfField('the answer', name));
}

function lossOfField(holder: string, name: string): Loss {
  return loss(`the field ${quoteWord(name)} of ${holder} was left out`);
}

function loss(text: string): Loss {
  return { type: 'warning', text };
}

/** Switches and numbers are not content, and an object of empty values is empty. */
function holdsSomething(value: unknown, depth: number = DEPTH_MAX): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  // Anything nested deeper than is plausible is not walked.
  if (depth === 0) return true;
  return Object.values(value).some(
    (inner) => typeof inner === 'number' || inner === true || holdsSomething(inner, depth - 1),
  );
}

const BESIDE_CHOICES = ['citations', 'search_results', 'images', 'videos', 'related_questions'];

/** What is read, and what is irrelevant to the answer. */
const READ_OF_MESSAGE: ReadonlySet<string> = new Set([
  ...['content', 'reasoning', 'reasoning_content', 'reasoning_details', 'refusal', 'annotations', 'audio', 'images'],
  ...['tool_calls', 'function_call'],
  ...['role', 'id', 'name', 'type', 'object', 'index', 'model', 'token_ids', 'obfuscation', 'content_filter_results'],
]);
const READ_OF_CALL: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function', 'custom']);
