/**
 * Warnings about what is left out of an answer: of a provider's answer because the neutral form cannot express it, of a caller's because
 * this format cannot. What every answer has and means nothing elsewhere is not reported.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import { quoteWord } from '../../../chat/warnings.ts';
import { isObject, type JsonObject } from '../../../core/json-object.ts';

/** Server tools and their results, compaction, unknown types. */
export function lossOfBlock(type: unknown): string {
  return `a block ${quoteWord(type)} was left out of the answer`;
}

export function lossOfDelta(type: unknown): string {
  return `a part of a block ${quoteWord(type)} was left out of the answer`;
}

export function lossOfEvent(type: unknown): string {
  return `a stream event ${quoteWord(type)} was left out of the answer`;
}

/** Mostly for citations of documents that the caller sent. */
export const CITATION_WITHOUT_ADDRESS = 'a citation without a URL was left out of the answer';
export const CITATION_WITHOUT_TEXT = 'a citation without a text was left out of the answer';
export const IMAGE = 'an image was left out of the answer: this format has none in answers';
export const CITATION_PLACE = 'this format cannot express where in its text a citation belongs';

/** For a `tool_use`: null if the model itself called, which it nearly always does. */
export function lossOfCall(block: JsonObject): string | null {
  const { caller } = block;
  if (!isObject(caller) || caller['type'] === 'direct') return null;
  return 'the field "caller" of a tool call was left out';
}

/** `holder` has fields of the message: a whole one, that of `message_start`, a `message_delta`, or its `delta`. */
export function lossesOfMessage(holder: JsonObject): readonly string[] {
  const { container, context_management: context, stop_details: details } = holder;
  if (!isObject(container) && !isObject(context) && !isObject(details)) return NOTHING;
  const losses: string[] = [];
  if (isObject(container)) losses.push('the field "container" of the answer was left out');
  if (isObject(context) && hasEdits(context)) losses.push('the field "context_management" of the answer was left out');
  if (isObject(details)) {
    for (const name in details) {
      if (READ_OF_STOP.has(name) || details[name] === null) continue;
      losses.push(`the field ${quoteWord(name)} of a refusal was left out`);
    }
  }
  return losses;
}

/** An empty list means that nothing was removed from the prompt. */
function hasEdits({ applied_edits: edits }: JsonObject): boolean {
  return Array.isArray(edits) && edits.length > 0;
}

const NOTHING: readonly string[] = [];
const READ_OF_STOP: ReadonlySet<string> = new Set(['type', 'explanation']);
