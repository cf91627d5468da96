/** https://platform.openai.com/docs/api-reference/embeddings/create */
import { type JsonObject, Refusal } from '../strict-server.ts';
import type { StrictOperation } from './strict-operation.ts';

export const embeddings: StrictOperation = {
  fields: ['model', 'input', 'encoding_format', 'dimensions', 'user'],
  answer(body) {
    const { model, input, encoding_format: format = 'float' } = body;
    const several = Array.isArray(input) && typeof input[0] !== 'number';
    const inputs = several ? input : [input];
    if (inputs.some((each) => each === '' || each === undefined))
      throw new Refusal(400, "'$.input' is invalid.", { param: 'input' });
    const data = inputs.map((_each, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? packed() : VECTOR,
    }));
    return { object: 'list', data, model: `${model}-001`, usage: usageOf(body, inputs.length) };
  },
};

/** All of them are exact as 32-bit floats. */
export const VECTOR: readonly number[] = [0.25, -0.5, 0.125];
export const TOKENS_OF_EACH = 7;

/** A server that counts nothing is asked with the user `uncounted`. */
function usageOf({ user }: JsonObject, inputs: number): JsonObject | undefined {
  const tokens = TOKENS_OF_EACH * inputs;
  return user === 'uncounted' ? undefined : { prompt_tokens: tokens, total_tokens: tokens };
}

function packed(): string {
  return Buffer.from(new Float32Array(VECTOR).buffer).toString('base64');
}
