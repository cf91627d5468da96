/** Goal: a key is searched for again whenever it may exist elsewhere, and any other refusal stands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { KeysBehind, UnknownKey } from './authenticate.ts';
import { awaitKeyNews } from './key-news.ts';

test('a key that is unknown, whether memory is up to date or behind, is searched for', async () => {
  let searches = 0;
  const news = {
    async await() {
      searches += 1;
    },
  };
  for (const refusal of [new UnknownKey(), new KeysBehind()]) await awaitKeyNews(refusal, news);
  assert.equal(searches, 2);
});

test('other refusals stand, and so does every one without other nodes', async () => {
  const news = { await: () => Promise.reject(new Error('must not be asked')) };
  const stale = new GatewayError('auth_unavailable', { retryAfterSeconds: 1 });
  await assert.rejects(awaitKeyNews(stale, news), stale);
  const unknown = new UnknownKey();
  await assert.rejects(awaitKeyNews(unknown, null), unknown);
});
