/**
 * Shortens a conversation: the provider answers with items that stand for it. Only some providers have it, and only in the Responses format.
 * It is a part of working with a model, so a key needs the permission for that:
 * https://platform.openai.com/docs/api-reference/responses/compact
 */
import { assert } from '../core/assert.ts';
import type { CallerDialect } from '../dialects/dialect.ts';
import { chat } from './chat.ts';
import type { PaidOperation } from './operation.ts';

export const compact: PaidOperation = {
  ...chat,
  name: 'compact',
  isTranslated: false,
  mayBeKept: false,
  peek: (dialect, inbound) => compactingOf(dialect).peek(inbound),
};

function compactingOf({ name, compacting }: CallerDialect): NonNullable<CallerDialect['compacting']> {
  assert(compacting !== undefined, `${name} has a path to compact at, so it can compact`);
  return compacting;
}
