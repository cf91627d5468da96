/**
 * Goal: a service account and an application become access tokens, asked for as their vendors document. Method: configured providers with
 * scripted token services; the grant is verified with the public key.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../core/secret.ts';
import { configureProvider, ProviderConfigurationError } from '../configure.ts';
import type { Provider } from '../provider.ts';
import type { Signed } from '../route.ts';
import { azure } from '../vendors/clouds/azure.ts';
import { vertex } from '../vendors/clouds/vertex.ts';
import { scriptedOutside } from './token-fixture.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const ACCOUNT = {
  type: 'service_account',
  project_id: 'their-project',
  private_key_id: 'key-1',
  private_key: PEM,
  client_email: 'caller@their-project.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};
const TENANT = '11111111-2222-3333-4444-555555555555';
const CLIENT = '66666666-7777-8888-9999-000000000000';

function openVertex(credential: string, outside = scriptedOutside(), options: object = {}) {
  const settings = { name: 'vertex', origin: null, location: 'europe-west1', ...options };
  return configureProvider(vertex, { ...settings, credential: new Secret(credential) }, outside);
}

function openAzure(credential: string, outside = scriptedOutside()) {
  const origin = 'https://my-resource.openai.azure.com';
  return configureProvider(azure, { name: 'azure', origin, credential: new Secret(credential) }, outside);
}

function sign(provider: Provider, dialect: 'anthropic-messages' | 'openai-chat' = 'anthropic-messages') {
  const model = dialect === 'openai-chat' ? 'mine' : 'claude-sonnet-4-5@20250929';
  const route = provider.route(dialect, { operation: 'chat', model, stream: true });
  assert(route !== null);
  return provider.sign({ method: 'POST', route, headers: {}, body: null });
}

const authorizationOf = (signed: Signed | Promise<Signed>) => {
  assert(!(signed instanceof Promise), 'nothing has to be waited for');
  return signed.headers['authorization'];
};

test('a service account is exchanged for a token with a grant signed with its key', async () => {
  const outside = scriptedOutside();
  outside.play(() => ({ body: { access_token: 'ya29.token-1', expires_in: 3599, token_type: 'Bearer' } }));
  const provider = openVertex(JSON.stringify(ACCOUNT), outside);
  const burst = await Promise.all(Array.from({ length: 20 }, () => sign(provider)));
  assert.equal(outside.asked.length, 1);
  assert.ok(burst.every((signed) => signed.headers['authorization'] === 'Bearer ya29.token-1'));

  const [request] = outside.asked;
  assert.deepEqual([request?.origin, request?.path], ['https://oauth2.googleapis.com', '/token']);
  const form = new URLSearchParams(String(request?.body));
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  assert.deepEqual(read(header), { alg: 'RS256', typ: 'JWT', kid: 'key-1' });
  const now = outside.clock.now() / 1000;
  assert.deepEqual(read(claims), {
    iss: ACCOUNT.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: ACCOUNT.token_uri,
    iat: now,
    exp: now + 3600,
  });
  const signedText = Buffer.from(`${header}.${claims}`);
  assert.ok(verify('sha256', signedText, publicKey, Buffer.from(signature, 'base64url')));
});

test('a token is renewed before it ends, and replaced when it is refused early', async () => {
  const outside = scriptedOutside();
  let number = 0;
  outside.play(() => {
    number += 1;
    return { body: { access_token: `ya29.token-${number}`, expires_in: 3600 } };
  });
  const provider = openVertex(JSON.stringify(ACCOUNT), outside);
  await sign(provider);
  outside.clock.advance(56 * 60_000);
  assert.equal(authorizationOf(sign(provider)), 'Bearer ya29.token-1');
  await new Promise(setImmediate);
  const second = await sign(provider);
  assert.equal(second.headers['authorization'], 'Bearer ya29.token-2');
  assert.equal(second.secrets('ya29.token-2'), true);
  outside.clock.advance(60_000);
  assert.equal(second.refused?.(403, {}), false);
  assert.equal(second.refused?.(401, {}), true);
  assert.equal((await sign(provider)).headers['authorization'], 'Bearer ya29.token-3');
});

test('a token that is refused as soon as it is made is not fetched for each call', async () => {
  const outside = scriptedOutside();
  outside.play(() => ({ body: { access_token: 'ya29.token', expires_in: 3600 } }));
  const provider = openVertex(JSON.stringify(ACCOUNT), outside);
  for (let call = 0; call < 10; call += 1) assert.equal((await sign(provider)).refused?.(401, {}), false);
  assert.equal(outside.asked.length, 1);
});

test('the project is that of the service account, unless the entry names one', () => {
  const target = (provider: Provider) =>
    provider.route('anthropic-messages', { operation: 'chat', model: 'claude-x', stream: false })?.target;
  const account = JSON.stringify(ACCOUNT);
  const path = (project: string) =>
    `/v1/projects/${project}/locations/europe-west1/publishers/anthropic/models/claude-x:rawPredict`;
  assert.equal(target(openVertex(account)), path('their-project'));
  assert.equal(target(openVertex(account, scriptedOutside(), { project: 'mine' })), path('mine'));
  assert.throws(() => openVertex('ya29.static'), /needs the option project, such as my-project/);
  const { project_id: _project, ...nowhere } = ACCOUNT;
  assert.throws(() => openVertex(JSON.stringify(nowhere)), /needs the option project, such as my-project/);
  for (const text of ['{}', '{"type":"service_account"}', JSON.stringify({ ...ACCOUNT, private_key: undefined })])
    assert.throws(
      () => openVertex(text),
      /needs as its credential the JSON key .*\(with client_email and private_key\)/,
    );
  assert.throws(() => openVertex('{"type":'), /begins like JSON but is none/);
});

test('each location has its host', () => {
  for (const [location, origin] of [
    ['global', 'https://aiplatform.googleapis.com'],
    ['us', 'https://aiplatform.us.rep.googleapis.com'],
    ['europe-west1', 'https://europe-west1-aiplatform.googleapis.com'],
  ])
    assert.equal(openVertex(JSON.stringify(ACCOUNT), scriptedOutside(), { location }).origin, origin);
});

test('an access token that the operator replaces is sent as it is', () => {
  const provider = openVertex('ya29.static', scriptedOutside(), { project: 'mine' });
  assert.equal(authorizationOf(sign(provider)), 'Bearer ya29.static');
});

for (const [mistake, account] of [
  ['JSON of something else', { type: 'authorized_user', refresh_token: 'canary-secret' }],
  ['an invalid key', { ...ACCOUNT, private_key: 'canary-secret' }],
  ['an address without TLS', { ...ACCOUNT, token_uri: 'http://192.0.2.1/canary-secret' }],
  [
    'a name that begins like an address of this machine',
    { ...ACCOUNT, token_uri: 'http://127.a.example/canary-secret' },
  ],
] as const)
  test(`${mistake} is refused in a sentence, without the secret`, () => {
    assert.throws(
      () => openVertex(JSON.stringify(account)),
      (error) => {
        assert.ok(error instanceof ProviderConfigurationError);
        const shown = inspect(error, { depth: 9 });
        return !shown.includes('canary-secret') && !shown.includes(PEM.split('\n')[1] as string);
      },
    );
  });

test('neither the account nor a token is shown when a provider is printed', async () => {
  const outside = scriptedOutside();
  outside.play(() => ({ body: { access_token: 'ya29.token-1', expires_in: 3600 } }));
  const provider = openVertex(JSON.stringify(ACCOUNT), outside);
  await sign(provider);
  const printed = inspect(provider, { showHidden: true, depth: 9 }) + JSON.stringify(provider);
  assert.ok(!printed.includes('ya29') && !printed.includes(PEM.split('\n')[1] as string));
});

for (const answer of [
  { body: '<html>' },
  { body: { access_token: 'ya29.x' } },
  { body: { access_token: 'two words', expires_in: 3600 } },
  { body: { access_token: '', expires_in: 3600 } },
  { body: { access_token: 'ya29.x', expires_in: -1 } },
])
  test(`${JSON.stringify(answer.body)} is not a token`, async () => {
    const outside = scriptedOutside();
    outside.play(() => answer);
    await assert.rejects(
      async () => sign(openVertex(JSON.stringify(ACCOUNT), outside)),
      /Google's token service returned no usable token/,
    );
  });

test('a refused grant says whose fault it is, and repeats nothing', async () => {
  const outside = scriptedOutside();
  outside.play(() => ({ status: 400, body: { error: 'invalid_grant', error_description: ACCOUNT.client_email } }));
  await assert.rejects(async () => sign(openVertex(JSON.stringify(ACCOUNT), outside)), {
    code: 'upstream_credential_rejected',
    message:
      "Google's token service rejected this gateway's credential (HTTP 400); the operator of the gateway must fix it.",
  });
});

test('an API key of Azure is sent in its header', async () => {
  const { headers } = await sign(openAzure('0123456789abcdef'), 'openai-chat');
  assert.deepEqual(headers, { 'api-key': '0123456789abcdef' });
});

for (const [form, credential] of [
  ['three parts', `${TENANT}:${CLIENT}:sec~ret:with-colon`],
  ['JSON', JSON.stringify({ tenantId: TENANT, clientId: CLIENT, clientSecret: 'sec~ret:with-colon' })],
  [
    'what az prints',
    JSON.stringify({ tenant: TENANT, appId: CLIENT, password: 'sec~ret:with-colon', displayName: 'x' }),
  ],
] as const)
  test(`an application as ${form} gets a token from Entra ID`, async () => {
    const outside = scriptedOutside();
    outside.play(() => ({ body: { token_type: 'Bearer', expires_in: '3599', access_token: 'eyJ.token' } }));
    const { headers, secrets } = await sign(openAzure(credential, outside), 'openai-chat');
    assert.equal(headers['authorization'], 'Bearer eyJ.token');
    assert.equal(secrets('sec~ret:with-colon'), true);
    const [request] = outside.asked;
    assert.equal(`${request?.origin}${request?.path}`, `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/token`);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(String(request?.body))), {
      grant_type: 'client_credentials',
      client_id: CLIENT,
      client_secret: 'sec~ret:with-colon',
      scope: 'https://cognitiveservices.azure.com/.default',
    });
  });
