/** The answer to a request to count tokens: https://docs.anthropic.com/en/api/messages-count-tokens */
import { parseObject } from '../../../core/json-object.ts';
import { readCount as countIn } from '../../../core/usage.ts';

export function readCount(body: Buffer): number | null {
  return countIn(parseObject(body.toString())?.['input_tokens']);
}

export function writeCount(tokens: number): Buffer {
  return Buffer.from(JSON.stringify({ input_tokens: tokens }));
}
