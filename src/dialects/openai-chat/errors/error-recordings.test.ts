/**
 * Goal: the caller learns why a provider refused, and nothing about the operator. Method: recordings that are not part of the project, from
 * `TURNPIKE_RECORDINGS`; without them the test is skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readError } from './read-error.ts';

const folder =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../../../shared/data/recorded', import.meta.url));
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;

interface Exchange {
  readonly response: { readonly status: number; readonly body: unknown };
}
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown;
const refusal = (status: number, body: unknown) => readError(status, {}, Buffer.from(JSON.stringify(body)));

test('OpenRouter’s limits name the limited model', { skip }, () => {
  const exchanges = read('openrouter/openrouter_errors_raised.vcr.json') as readonly Exchange[];
  assert.ok(exchanges.length > 0);
  for (const { response } of exchanges) {
    const { code, quotable } = refusal(response.status, response.body);
    assert.equal(code, 'upstream_rate_limited');
    assert.equal(quotable, 'google/gemini-2.0-flash-exp:free is temporarily rate-limited upstream.');
  }
});

test('Google’s limit says that it is a quota and when to come back, not which plan', { skip }, () => {
  const { code, quotable, retryAfterSeconds } = refusal(429, read('google/google-429-retry-info.json'));
  assert.deepEqual(
    [code, quotable, retryAfterSeconds],
    ['upstream_rate_limited', 'You exceeded your current quota', 35],
  );
});
