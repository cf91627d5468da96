/** https://platform.openai.com/docs/api-reference/moderations/create */
import { isObject, type JsonObject, Refusal } from '../strict-server.ts';
import type { StrictOperation } from './strict-operation.ts';

export const moderations: StrictOperation = {
  fields: ['model', 'input'],
  answer({ model, input }) {
    const texts = typeof input === 'string' ? [input] : input;
    if (!Array.isArray(texts) || texts.length === 0) throw new Refusal(400, 'Invalid input.', { param: 'input' });
    const areParts = texts.every(isObject);
    if (!areParts && !texts.every((text) => typeof text === 'string'))
      throw new Refusal(400, 'Invalid input.', { param: 'input' });
    const judged = areParts ? [texts.map(textOf).join(' ')] : (texts as readonly string[]);
    return {
      id: 'modr-strict',
      model: `${model}-001`,
      results: judged.map(resultOf),
      ...usageOf(String(model), judged),
    };
  },
};

export const TOKENS_OF_EACH = 6;

function textOf(part: JsonObject): string {
  if (part['type'] === 'text') return String(part['text']);
  if (part['type'] === 'image_url') return '';
  throw new Refusal(400, `Invalid type: ${part['type']}.`, { param: 'input' });
}

function resultOf(text: string): JsonObject {
  const isFlagged = text.includes('violence');
  return {
    flagged: isFlagged,
    categories: { violence: isFlagged },
    category_scores: { violence: isFlagged ? 0.98765432109876 : 1.2345e-7 },
    category_applied_input_types: { violence: isFlagged ? ['text'] : [] },
  };
}

/** OpenAI reports none; a vendor that charges for tokens has a model whose name says so. */
function usageOf(model: string, judged: readonly string[]): JsonObject {
  const tokens = TOKENS_OF_EACH * judged.length;
  return model === 'counted' ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {};
}
