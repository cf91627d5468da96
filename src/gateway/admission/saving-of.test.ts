/** Goal: a refusal for want of money says what helps with the operation that was asked for. Method: the words of two operations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalError, shortfall } from '../../billing/refusal.ts';
import { accountId } from '../../core/ids.ts';
import { parseUsd } from '../../core/money.ts';
import { callerDialects } from '../../dialects/index.ts';
import { operations } from '../../operations/index.ts';
import { savingOf } from './saving-of.ts';

const dialect = callerDialects['openai-chat'];

test('fewer tokens are the advice where an answer has them, and fewer images or a shorter text where it has none', () => {
  assert.equal(
    savingOf({ operation: operations.chat, dialect }),
    `ask for fewer tokens (${dialect.costLimits.outputCap})`,
  );
  const limit = parseUsd('0.001');
  const binding = { scope: 'key', window: 'day', available: limit, whole: limit, limit } as const;
  const said = (name: 'images' | 'speech') =>
    refusalError(
      shortfall(binding, parseUsd('0.04')),
      0,
      savingOf({ operation: operations[name], dialect }),
      accountId(1),
    ).message;
  assert.match(
    said('images'),
    / Ask for fewer, smaller or simpler images \(n, size, quality\), or have the budget raised\.$/,
  );
  assert.match(said('speech'), / Send a shorter text \(input\), or have the budget raised\.$/);
});
