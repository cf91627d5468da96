/**
 * Goal: a request to AWS has the keys that are valid now, whoever issues them, and learns from a refusal. Method: a configured provider with
 * scripted services for keys; the signature itself is compared with AWS's own implementation in `test/clouds`.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { GatewayError } from '../../core/errors.ts';
import { Secret } from '../../core/secret.ts';
import { configureProvider, ProviderConfigurationError } from '../configure.ts';
import type { CredentialSource } from '../provider-options.ts';
import type { Signed } from '../route.ts';
import { bedrock } from '../vendors/clouds/bedrock.ts';
import { type ScriptedOutside, scriptedOutside } from './token-fixture.ts';

const ID = 'AKIAIOSFODNN7EXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const HOUR = 3_600_000;

function providerWith(credential: string | null, outside = scriptedOutside(), from: CredentialSource | null = null) {
  const settings = { name: 'bedrock', origin: null, region: 'eu-west-1', credentialFrom: from };
  return configureProvider(
    bedrock,
    { ...settings, credential: credential === null ? null : new Secret(credential) },
    outside,
  );
}

function sign(provider: ReturnType<typeof providerWith>): Signed | Promise<Signed> {
  const model = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
  const route = provider.route('anthropic-messages', { operation: 'chat', model, stream: false });
  assert(route !== null);
  return provider.sign({
    method: 'POST',
    route,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
  });
}

function signNow(provider: ReturnType<typeof providerWith>): Signed {
  const signed = sign(provider);
  assert(!(signed instanceof Promise), 'nothing has to be waited for');
  return signed;
}

const credentialOf = ({ headers }: Signed) => /Credential=([^/]+)\//.exec(headers['authorization'] ?? '')?.[1];

test('access keys sign at once, with the region and the service in the scope', () => {
  const { headers } = signNow(providerWith(`${ID}:${SECRET}`));
  assert.match(
    String(headers['authorization']),
    /\/20261123\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=content-type;host;x-amz-date,/,
  );
  assert.equal(headers['x-amz-security-token'], undefined);
});

test('temporary keys send their session token, as a pair, a triple or as vendors’ commands print them', () => {
  for (const text of [
    `${ID}:${SECRET}:TOKEN==`,
    JSON.stringify({ Version: 1, AccessKeyId: ID, SecretAccessKey: SECRET, SessionToken: 'TOKEN==' }),
    JSON.stringify({ Credentials: { AccessKeyId: ID, SecretAccessKey: SECRET, SessionToken: 'TOKEN==' } }),
    JSON.stringify({ accessKeyId: ID, secretAccessKey: SECRET, sessionToken: 'TOKEN==' }),
  ]) {
    const signed = signNow(providerWith(text));
    assert.equal(signed.headers['x-amz-security-token'], 'TOKEN==');
    assert.equal(credentialOf(signed), ID);
  }
});

test('an empty session token, as from a variable that is not set, is none', () => {
  assert.equal(signNow(providerWith(`${ID}:${SECRET}:`)).headers['x-amz-security-token'], undefined);
});

test('other text is a Bedrock API key, sent as a bearer token', () => {
  assert.equal(
    signNow(providerWith('ABSKQmVkcm9ja0FQSUtleS0')).headers['authorization'],
    'Bearer ABSKQmVkcm9ja0FQSUtleS0',
  );
});

for (const [mistake, text] of [
  ['half a pair', `${ID}:`],
  ['no id', `:${SECRET}`],
  ['too many parts', `${ID}:${SECRET}:a:b`],
  ['JSON of something else', '{"type":"service_account"}'],
  ['broken JSON', `{"AccessKeyId":"${SECRET}`],
] as const)
  test(`${mistake} is refused in a sentence, without the secret`, () => {
    assert.throws(
      () => providerWith(text),
      (error) => {
        assert.ok(error instanceof ProviderConfigurationError);
        assert.match(error.message, /neither a Bedrock API key nor access keys/);
        return !inspect(error).includes(SECRET);
      },
    );
  });

test('neither keys nor their signature may come back', () => {
  const signed = signNow(providerWith(`${ID}:${SECRET}:session-token-1`));
  const signature = String(signed.headers['authorization']).split('Signature=')[1];
  for (const text of [ID, SECRET, 'session-token-1', String(signature)])
    assert.equal(signed.secrets(`{"a":"${text}"}`), true);
  assert.equal(signed.secrets('{"message":"The security token included in the request is invalid."}'), false);
});

test('nothing is asked for keys unless the entry says so', () => {
  const outside = scriptedOutside({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/x' });
  signNow(providerWith(`${ID}:${SECRET}`, outside));
  assert.throws(() => providerWith(null, outside), /needs a credential/);
  assert.throws(
    () => providerWith(`${ID}:${SECRET}`, outside, 'instance'),
    /both a credential and the option credentialFrom/,
  );
  assert.deepEqual(outside.asked, []);
});

const issued = (id: string, expiration: string) => ({
  AccessKeyId: id,
  SecretAccessKey: SECRET,
  Token: 'session',
  Expiration: expiration,
});

test('a container’s keys are fetched once, renewed before they end, and never used after it', async () => {
  const outside = scriptedOutside({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/x' });
  const end = (hours: number) => new Date(outside.clock.now() + hours * HOUR).toISOString();
  outside.play(() => ({ body: issued('ASIAIOSFODNN7EXAMPL1', end(1)) }));
  const provider = providerWith(null, outside, 'container');
  const burst = await Promise.all(Array.from({ length: 20 }, () => sign(provider)));
  assert.equal(outside.asked.length, 1);
  assert.deepEqual([outside.asked[0]?.origin, outside.asked[0]?.path], ['http://169.254.170.2', '/v2/credentials/x']);
  assert.ok(burst.every((signed) => credentialOf(signed) === 'ASIAIOSFODNN7EXAMPL1'));
  assert.equal(burst[0]?.headers['x-amz-security-token'], 'session');

  outside.play(() => ({ body: issued('ASIAIOSFODNN7EXAMPL2', end(1)) }));
  outside.clock.advance(HOUR - 4 * 60_000);
  assert.equal(credentialOf(signNow(provider)), 'ASIAIOSFODNN7EXAMPL1');
  await new Promise(setImmediate);
  assert.equal(credentialOf(signNow(provider)), 'ASIAIOSFODNN7EXAMPL2');

  outside.play(() => ({ status: 500 }));
  outside.clock.advance(HOUR);
  await assert.rejects(async () => sign(provider), /credential service failed \(HTTP 500\)/);
});

test('the token of a container’s service is read from its file each time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-pod-'));
  const file = join(folder, 'token');
  try {
    writeFileSync(file, 'pod-1\n');
    const outside = scriptedOutside({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials',
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
    });
    outside.play(() => ({ status: 503 }));
    const provider = providerWith(null, outside, 'container');
    await assert.rejects(async () => sign(provider));
    writeFileSync(file, 'pod-2\n');
    outside.clock.advance(2000);
    await assert.rejects(async () => sign(provider));
    assert.deepEqual(
      outside.asked.map(({ headers }) => headers['authorization']),
      ['pod-1', 'pod-2'],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a container’s service is asked only at its own addresses or over TLS', async () => {
  for (const [address, code] of [
    ['http://192.0.2.7/keys', 'upstream_credential_rejected'],
    ['no address', 'upstream_credential_rejected'],
  ]) {
    const outside = scriptedOutside({ AWS_CONTAINER_CREDENTIALS_FULL_URI: address });
    await isRejected(outside, 'container', code);
    assert.equal(outside.asked.length, 0);
  }
  await isRejected(scriptedOutside(), 'container', 'upstream_credential_rejected');
});

test('an instance’s keys are fetched with a session of version 2', async () => {
  const outside = scriptedOutside();
  outside.play(({ path }) => {
    if (path === '/latest/api/token') return { body: 'imds-session' };
    if (path.endsWith('/security-credentials/')) return { body: 'my-role\n' };
    return { body: issued('ASIAIOSFODNN7EXAMPL3', new Date(outside.clock.now() + 6 * HOUR).toISOString()) };
  });
  const signed = await sign(providerWith(null, outside, 'instance'));
  assert.equal(credentialOf(signed), 'ASIAIOSFODNN7EXAMPL3');
  assert.deepEqual(
    outside.asked.map(({ method, origin, path, headers }) => [
      method,
      origin + path,
      headers['x-aws-ec2-metadata-token'],
    ]),
    [
      ['PUT', 'http://169.254.169.254/latest/api/token', undefined],
      ['GET', 'http://169.254.169.254/latest/meta-data/iam/security-credentials/', 'imds-session'],
      ['GET', 'http://169.254.169.254/latest/meta-data/iam/security-credentials/my-role', 'imds-session'],
    ],
  );
});

test('how long keys live is read from the service’s clock, not from ours', async () => {
  const outside = scriptedOutside({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/x' });
  const there = outside.clock.now() - 5 * HOUR;
  outside.play(() => ({
    headers: { date: new Date(there).toUTCString() },
    body: issued('ASIAIOSFODNN7EXAMPL4', new Date(there + HOUR).toISOString()),
  }));
  const provider = providerWith(null, outside, 'container');
  await sign(provider);
  assert.equal(credentialOf(signNow(provider)), 'ASIAIOSFODNN7EXAMPL4');
});

for (const [what, answer, code] of [
  ['a refusal', { status: 403, body: SECRET }, 'upstream_credential_rejected'],
  ['a page', { body: '<html>' }, 'bad_gateway'],
  ['keys without an end', { body: { AccessKeyId: ID, SecretAccessKey: SECRET, Token: 't' } }, 'bad_gateway'],
  ['keys that have ended', { body: issued(ID, '2020-01-01T00:00:00Z') }, 'bad_gateway'],
  ['a limit', { status: 429 }, 'upstream_unreachable'],
  ['a failure', { status: 500, body: SECRET }, 'upstream_unreachable'],
] as const)
  test(`${what} instead of keys is a clear failure, without what was said`, async () => {
    const outside = scriptedOutside({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/x' });
    outside.play(() => answer);
    await isRejected(outside, 'container', code);
  });

test('without a connection to the service, the failure says which it is', async () => {
  const outside = scriptedOutside();
  outside.play(() => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
  await assert.rejects(
    async () => sign(providerWith(null, outside, 'instance')),
    /metadata service could not be reached/,
  );
});

test('a signature that is refused for its time is made again by AWS’s clock', () => {
  const outside = scriptedOutside();
  const provider = providerWith(`${ID}:${SECRET}`, outside);
  const there = outside.clock.now() + 20 * 60_000;
  const refusal = {
    'x-amzn-errortype': 'InvalidSignatureException:http://internal.amazon.com/coral/com.amazon.coral.service/',
    date: new Date(there).toUTCString(),
  };
  const first = signNow(provider);
  assert.equal(first.headers['x-amz-date'], '20261123T090000Z');
  assert.equal(first.refused?.(403, refusal), true);
  const second = signNow(provider);
  assert.equal(second.headers['x-amz-date'], '20261123T092000Z');
  // It was not the clock.
  assert.equal(second.refused?.(403, refusal), false);
  assert.equal(second.refused?.(400, { 'x-amzn-errortype': 'ValidationException' }), false);
  assert.equal(second.refused?.(500, refusal), false);
});

test('a date that no clock shows is not learnt: there would be none to sign with later', () => {
  const outside = scriptedOutside();
  const provider = providerWith(`${ID}:${SECRET}`, outside);
  for (const year of [1999, 275_760]) {
    const refusal = { 'x-amzn-errortype': 'RequestExpired', date: `Sat, 13 Sep ${year} 00:00:00 GMT` };
    assert.equal(signNow(provider).refused?.(403, refusal), false);
  }
  outside.clock.advance(HOUR);
  assert.equal(signNow(provider).headers['x-amz-date'], '20261123T100000Z');
});

test('keys that AWS says have ended are fetched again', async () => {
  const outside = scriptedOutside({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/x' });
  let number = 0;
  outside.play(() => {
    number += 1;
    return { body: issued(`ASIAIOSFODNN7EXAMPL${number}`, new Date(outside.clock.now() + HOUR).toISOString()) };
  });
  const provider = providerWith(null, outside, 'container');
  const first = await sign(provider);
  outside.clock.advance(10 * 60_000);
  assert.equal(first.refused?.(403, { 'x-amzn-errortype': 'ExpiredTokenException' }), true);
  assert.equal(credentialOf(await sign(provider)), 'ASIAIOSFODNN7EXAMPL2');
});

async function isRejected(outside: ScriptedOutside, source: CredentialSource, code: string | undefined): Promise<void> {
  await assert.rejects(
    async () => sign(providerWith(null, outside, source)),
    (error) => {
      assert.ok(error instanceof GatewayError);
      assert.equal(error.code, code);
      return !inspect(error).includes(SECRET);
    },
  );
}
