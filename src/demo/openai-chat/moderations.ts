/** Judges texts in OpenAI's form: https://platform.openai.com/docs/api-reference/moderations/object */
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { newIdentifier } from '../identifiers.ts';
import { READ_TOKENS_MAX } from '../limits.ts';
import { badRequest, modelNotFound } from '../refusal.ts';
import { countTokens, splitTokens } from '../words.ts';

/** The demo's model that judges. */
export const MODERATION_MODEL = 'moderate';

/** The answer as JSON: a text is flagged for each category that it names. It reports no usage, as OpenAI. Throws a `Refusal`. */
export function answerModerations({ model, input }: JsonObject): string {
  if (model !== MODERATION_MODEL) throw modelNotFound(String(model));
  const texts = textsOf(input);
  if (texts.some((text) => countTokens(text) > READ_TOKENS_MAX))
    throw badRequest(`A text may have at most ${READ_TOKENS_MAX} tokens.`);
  return JSON.stringify({ id: newIdentifier('modr-', ID_LENGTH), model, results: texts.map(judge) });
}

const ID_LENGTH = 32;
const INPUTS_MAX = 2_048;
const CATEGORIES = ['harassment', 'hate', 'illicit', 'self-harm', 'sexual', 'violence'];
const NAMED = 0.9;
const UNNAMED = 0.001;

/** A list of texts is judged one by one, a list of parts as a whole. */
function textsOf(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input) || input.length === 0 || input.length > INPUTS_MAX)
    throw badRequest(`input must be a text, or a list of 1 to ${INPUTS_MAX} items.`, { param: 'input' });
  if (input.every((each) => typeof each === 'string')) return input;
  return [input.map(textOfPart).join('\n')];
}

function textOfPart(part: unknown): string {
  if (isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string') return part['text'];
  if (isObject(part) && part['type'] === 'image_url' && isObject(part['image_url'])) return '';
  throw badRequest('A part must be a text or an image.', { param: 'input' });
}

function judge(text: string): object {
  const words = new Set(splitTokens(text).map((word) => word.trim().toLowerCase()));
  const named = CATEGORIES.map((category) => [category, words.has(category)] as const);
  return {
    flagged: named.some(([, isNamed]) => isNamed),
    categories: Object.fromEntries(named),
    category_scores: Object.fromEntries(named.map(([category, isNamed]) => [category, isNamed ? NAMED : UNNAMED])),
    category_applied_input_types: Object.fromEntries(
      named.map(([category, isNamed]) => [category, isNamed ? ['text'] : []]),
    ),
  };
}
