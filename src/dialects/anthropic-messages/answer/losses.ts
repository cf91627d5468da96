/**
 * What is told of an answer where something of it is left out: of a provider's answer in this format because the
 * neutral form cannot say it, of a caller's because this format cannot. What comes with every answer and means
 * nothing elsewhere is not told.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import { quoteWord } from '../../../chat/warnings.ts';
import { isObject, type JsonObject } from '../../../core/json-object.ts';

/** Server tools and their results, compaction, kinds not known yet. */
export function lossOfBlock(type: unknown): string {
  return `a block ${quoteWord(type)} was left out of the answer`;
}

export function lossOfDelta(type: unknown): string {
  return `a part of a block ${quoteWord(type)} was left out of the answer`;
}

export function lossOfEvent(type: unknown): string {
  return `a stream event ${quoteWord(type)} was left out of the answer`;
}

/** Citations of the caller's own documents, above all. */
export const CITATION_WITHOUT_ADDRESS = 'a citation without a URL was left out of the answer';
export const CITATION_WITHOUT_TEXT = 'a citation without a text was left out of the answer';
export const CITATION_PLACE = 'this format cannot express where in its text a citation belongs';

/** Of a `tool_use`: null where the model itself called, as it nearly always does. */
export function lossOfCall(block: JsonObject): string | null {
  const { caller } = block;
  if (!isObject(caller) || caller['type'] === 'direct') return null;
  return 'the field "caller" of a tool call was left out';
}

/** Of whatever holds fields of the message: the whole, that of `message_start`, a `message_delta`, and its `delta`. */
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

/** An empty list says that nothing was taken out of the prompt. */
function hasEdits({ applied_edits: edits }: JsonObject): boolean {
  return Array.isArray(edits) && edits.length > 0;
}

const NOTHING: readonly string[] = [];
const READ_OF_STOP: ReadonlySet<string> = new Set(['type', 'explanation']);
