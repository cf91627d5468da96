/** Goal: an operator reads which server is the reason, in our words and without its password. Method: the errors of the client, and one that listens nowhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../core/secret.ts';
import { Valkey } from './valkey.ts';
import { valkeyAt, valkeyTrouble } from './valkey-trouble.ts';

const AT = valkeyAt('redis://ada:secret-word@cache.example');

test('a server is named by its host and port', () => {
  assert.equal(AT, 'Valkey at cache.example:6379');
  assert.equal(valkeyAt('rediss://:secret-word@[::1]:7000/2'), 'Valkey at [::1]:7000');
});

test('each trouble has words of its own', () => {
  const said = (words: string, connecting: Error | null = null) =>
    valkeyTrouble(new Error(words), { at: AT, connecting, answerMs: 1_000 });
  const coded = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:6379`), { code });
  const givenUp =
    'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest" option for details.';
  assert.equal(said('Command timed out'), 'Valkey at cache.example:6379 did not answer within 1000 ms');
  assert.equal(
    said('NOAUTH Authentication required.'),
    'Valkey at cache.example:6379 answered: NOAUTH Authentication required.',
  );
  assert.equal(said(givenUp, coded('ECONNREFUSED')), 'connection refused by Valkey at cache.example:6379');
  assert.equal(said(givenUp, coded('ENOTFOUND')), 'the name of Valkey at cache.example:6379 is not known here');
  assert.equal(said(givenUp, coded('ETIMEDOUT')), 'there is no connection to Valkey at cache.example:6379 (ETIMEDOUT)');
  assert.equal(said(givenUp), 'there is no connection to Valkey at cache.example:6379');
});

test('what is rejected names the server, not the options of the client, and has no password', async () => {
  const valkey = await Valkey.open({ url: new Secret('redis://:secret-word@127.0.0.1:1'), name: 'x' });
  try {
    await assert.rejects(valkey.run('exchangeNotices', ['notices'], ['a', '']), (error: Error) => {
      assert.match(error.message, /Valkey at 127\.0\.0\.1:1\b/);
      assert.doesNotMatch(`${error.message}${error.stack}`, /secret-word/);
      assert.doesNotMatch(error.message, /maxRetries|retries|enableOfflineQueue/);
      return true;
    });
  } finally {
    valkey.close();
  }
});
