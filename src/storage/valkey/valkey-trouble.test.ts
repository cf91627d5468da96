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
    'Valkey at cache.example:6379 answered: NOAUTH Authentication required. (it wants a password; add it to valkey.url (VALKEY_URL), like redis://:password@host:6379)',
  );
  assert.equal(
    said('LOADING Valkey is loading the dataset in memory'),
    'Valkey at cache.example:6379 answered: LOADING Valkey is loading the dataset in memory',
  );
  assert.match(
    said('MOVED 3999 127.0.0.1:6381'),
    /answered: MOVED 3999 127\.0\.0\.1:6381 \(it is part of a cluster; set /,
  );
  assert.match(
    said(givenUp, new Error('WRONGPASS invalid username-password pair')),
    /correct the user and the password/,
  );
  assert.ok(said(`ERR ${'x'.repeat(1_000_000)}`).length < 300, "a server's words are shortened");
  assert.equal(said(givenUp, coded('ECONNREFUSED')), 'connection refused by Valkey at cache.example:6379');
  assert.equal(said(givenUp, coded('ENOTFOUND')), 'the name of Valkey at cache.example:6379 is not known here');
  assert.equal(said(givenUp, coded('ETIMEDOUT')), 'there is no connection to Valkey at cache.example:6379 (ETIMEDOUT)');
  assert.match(said(givenUp, coded('ERR_SSL_WRONG_VERSION_NUMBER')), /does not speak TLS as expected .* redis:\/\/$/);
  assert.match(
    said(givenUp, coded('DEPTH_ZERO_SELF_SIGNED_CERT')),
    /is not trusted .* set NODE_EXTRA_CA_CERTS to its file$/,
  );
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
