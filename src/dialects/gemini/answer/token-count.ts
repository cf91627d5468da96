/** The answer to a request to count tokens: https://ai.google.dev/api/tokens#response-body */
import { parseObject } from '../../../core/json-object.ts';
import { readCount as countIn } from '../../../core/usage.ts';

export function readCount(body: Buffer): number | null {
  return countIn(parseObject(body.toString())?.['totalTokens']);
}

export function writeCount(tokens: number): Buffer {
  return Buffer.from(JSON.stringify({ totalTokens: tokens }));
}
