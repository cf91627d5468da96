/** The count of a prompt's tokens: https://platform.openai.com/docs/api-reference/responses/input-tokens */
import { parseObject } from '../../../core/json-object.ts';
import { readCount as readTokens } from '../../../core/usage.ts';

export function readCount(body: Buffer): number | null {
  return readTokens(parseObject(body.toString())?.['input_tokens']);
}

export function writeCount(tokens: number): Buffer {
  return Buffer.from(JSON.stringify({ object: 'response.input_tokens', input_tokens: tokens }));
}
