/** Vectors as OpenAI's interface makes them: https://platform.openai.com/docs/api-reference/embeddings/create */
import type { JsonObject } from '../../core/json-object.ts';
import { READ_TOKENS_MAX } from '../limits.ts';
import { badRequest, modelNotFound } from '../refusal.ts';
import { DIMENSIONS, DIMENSIONS_MAX, EMBEDDING_MODEL, vectorOf } from '../vector-of.ts';
import { countTokens } from '../words.ts';

/** The answer as JSON. Throws a `Refusal`. */
export function answerEmbeddings(body: JsonObject): string {
  const { model, input, encoding_format: format = 'float', dimensions = DIMENSIONS } = body;
  if (model !== EMBEDDING_MODEL) throw modelNotFound(String(model));
  if (format !== 'float' && format !== 'base64') throw badRequest('encoding_format must be float or base64.');
  if (!isDimensions(dimensions)) throw badRequest(`dimensions must be a whole number from 1 to ${DIMENSIONS_MAX}.`);
  const texts = textsOf(input);
  const counts = texts.map((text) => countTokens(text));
  if (counts.some((tokens) => tokens > READ_TOKENS_MAX))
    throw badRequest(`A text may have at most ${READ_TOKENS_MAX} tokens.`);
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  const data = texts.map((text, index) => {
    const vector = vectorOf(text, dimensions);
    return { object: 'embedding', index, embedding: format === 'base64' ? packed(vector) : vector };
  });
  return JSON.stringify({ object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
}

/** OpenAI takes as many. */
const INPUTS_MAX = 2_048;

/** A list of numbers is one input; the demo takes each number for a word. */
function textsOf(input: unknown): readonly string[] {
  const inputs = Array.isArray(input) && !input.every(isNumber) ? input : [input];
  if (inputs.length === 0 || inputs.length > INPUTS_MAX)
    throw badRequest(`input must have from 1 to ${INPUTS_MAX} items.`);
  return inputs.map((each) => {
    if (typeof each === 'string' && each !== '') return each;
    if (Array.isArray(each) && each.length > 0 && each.every(isNumber)) return each.join(' ');
    throw badRequest('The demo makes vectors of texts and of tokens only.');
  });
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isDimensions(value: unknown): value is number {
  return isNumber(value) && Number.isInteger(value) && value >= 1 && value <= DIMENSIONS_MAX;
}

/** 32-bit floats, the lowest byte first. */
function packed(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
