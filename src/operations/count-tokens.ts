/**
 * Counts the tokens of a prompt. A provider counts them exactly, or refuses the request as it would refuse the call: one of the caller's
 * format, or one whose own format has a way to count what the call would send. Otherwise they are estimated. The count is of use only for calls, so a key needs the permission for those:
 * https://docs.anthropic.com/en/api/messages-count-tokens
 */
import { estimatePromptTokens } from '../chat/estimate-tokens.ts';
import { assert } from '../core/assert.ts';
import type { CallerDialect } from '../dialects/dialect.ts';
import type { TokenCounting } from '../dialects/interface/token-counting.ts';
import type { FreeOperation } from './operation.ts';

export const countTokens: FreeOperation = {
  name: 'count_tokens',
  permission: 'chat',
  isTranslated: true,
  isPaid: false,
  answerMs: 5_000,
  answerBytesMax: 64 * 1024,
  peek: (dialect, inbound) => countingOf(dialect).peek(inbound),
  // It counts as a request; its tokens count when the prompt is sent.
  tokensAbout: () => 0,
  readAnswer(dialect, body) {
    const { readCount, writeCount } = countingOf(dialect);
    const count = readCount(body);
    return count === null ? null : writeCount(count);
  },
  translate: ({ counter }, request, target) => counter?.writeRequest(request, target) ?? null,
  translateAnswer(dialect, { counter }, body) {
    const count = counter?.readCount(body) ?? null;
    return count === null ? null : countingOf(dialect).writeCount(count);
  },
  estimate: (dialect, request) => countingOf(dialect).writeCount(estimatePromptTokens(request)),
};

function countingOf({ name, counting }: CallerDialect): TokenCounting {
  assert(counting !== undefined, `${name} has a path to count tokens at, so it can count`);
  return counting;
}
