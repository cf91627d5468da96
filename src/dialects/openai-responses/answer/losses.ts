/**
 * Warnings about what is left out of an answer: of a provider's answer because the neutral form cannot express it, of a caller's because
 * this format cannot. What every answer has and means nothing elsewhere is not reported.
 */
import type { Finish } from '../../../chat/response.ts';
import { addWarning, quoteWord } from '../../../chat/warnings.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { isEmpty } from '../../kit/request/request-values.ts';

/** The provider's own tools and their results, calls of tools that only this format has, unknown types. */
export function lossOfItem(type: unknown): string {
  return `an item ${quoteWord(type)} was left out of the answer`;
}

/** Of an item that is read, such as the `phase` of a message: https://platform.openai.com/docs/guides/reasoning (phase) */
export function lossesOfItem(item: JsonObject): readonly string[] {
  const losses: string[] = [];
  const known = READ_OF_ITEM.of(item['type']);
  for (const name in item) {
    if (known.has(name) || item[name] === false || isEmpty(item[name])) continue;
    if (name === 'caller' && asObject(item[name])?.['type'] === 'direct') continue;
    losses.push(`the field ${quoteWord(name)} of an item was left out`);
  }
  return losses;
}

const READ_OF_ITEM = fieldsByType(['type', 'id', 'status'], {
  message: ['role', 'content'],
  reasoning: ['summary', 'content', 'encrypted_content'],
  function_call: ['call_id', 'name', 'arguments'],
  custom_tool_call: ['call_id', 'name', 'input'],
});

export function lossOfPart(type: unknown): string {
  return `a content part ${quoteWord(type)} was left out of the answer`;
}

export function lossOfEvent(type: unknown): string {
  return `a stream event ${quoteWord(type)} was left out of the answer`;
}

/** Files that the provider stores or made. */
export function lossOfAnnotation(type: unknown): string {
  return `an annotation ${quoteWord(type)} was left out of the answer`;
}

export const CITATION_WITHOUT_ADDRESS = 'a citation without a URL was left out of the answer';

export const CITATION_WITHOUT_TEXT = 'a citation without a text was left out of the answer';
const EXPLANATION = "the provider's explanation of its refusal cannot be expressed in this format and was left out";
const PAUSED = 'the provider paused its turn, which appears as a complete answer in this format; it may be incomplete';

export function addLossesOfFinish({ reason, explanation }: Finish, warnings: Set<string>): void {
  if (explanation !== null) addWarning(warnings, EXPLANATION);
  if (reason === 'paused') addWarning(warnings, PAUSED);
}
