/**
 * How long a prompt is. A provider of the caller's format counts it exactly, or refuses the request as it would refuse the call;
 * else it is estimated. It is of use to calls only, so whoever may not make those may not count:
 * https://docs.anthropic.com/en/api/messages-count-tokens
 */
import { estimatePromptTokens } from '../chat/estimate-tokens.ts';
import type { FreeOperation } from './operation.ts';

export const countTokens: FreeOperation = {
  name: 'count_tokens',
  permission: 'chat',
  isTranslated: false,
  isPaid: false,
  answerMs: 5_000,
  answerBytesMax: 64 * 1024,
  peek: (dialect, inbound) => dialect.peekPrompt(inbound),
  // It counts as a request; its tokens are counted when they are sent.
  tokensAbout: () => 0,
  readAnswer(body) {
    const count = readCount(body);
    return count === null ? null : writeCount(count);
  },
  estimate: (request) => writeCount(estimatePromptTokens(request)),
};

function writeCount(tokens: number): Buffer {
  return Buffer.from(JSON.stringify({ input_tokens: tokens }));
}

function readCount(body: Buffer): number | null {
  try {
    const count: unknown = (JSON.parse(body.toString()) as { input_tokens?: unknown } | null)?.input_tokens;
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
  } catch {
    // An answer that is no JSON is no count.
    return null;
  }
}
