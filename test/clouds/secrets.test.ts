/**
 * Goal: no cloud's secret, no token made from one and no signature appears where it does not belong. Method: the whole gateway with an entry
 * for each way to sign; services for tokens and providers repeat whatever they were sent wherever they can write text; then everything that
 * was returned, measured, logged and stored is searched.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { control } from '../support/control.ts';
import { encodeChunk, encodeEvent, encodeException } from '../support/event-stream.ts';
import { type OpenBench, openBenchWith } from '../support/open-gateway.ts';
import { type Exchange, type Script, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { pathOf } from './cloud-bench.ts';

const PEM = String(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
);
const TENANT = '11111111-2222-4333-8444-555555555555';
const SECRETS = {
  'the key of Azure': 'canary-azure-api-key',
  'the secret of Entra ID': 'canary~entra~client~secret',
  'the token of Entra ID': 'canary.entra.access.token',
  'the key of AWS': 'canary/aws/secret/access/key',
  'the id of the key of AWS': 'AKIACANARYCANARYCANA',
  'the session of AWS': 'canary/session/token==',
  'the key of the container': 'canary/container/secret/key',
  'the session of the container': 'canary/container/session',
  'the token for the container’s service': 'canary-container-authorization',
  'the session of the metadata service': 'canary-metadata-session',
  'the key of the instance': 'canary/instance/secret/key',
  'the token of Bedrock': 'canary-bedrock-api-key',
  'the key of the service account': PEM.split('\n')[3] ?? '',
  'the token of Google': 'ya29.canary-google-access-token',
  'the key of Google AI': 'AIzaCanaryOfGoogleAi',
  'the stored secret': 'canary-stored-client-secret',
} as const;

const clock = new ManualClock(Date.UTC(2026, 10, 23));
let bench: OpenBench;
/** All that callers and operators were shown. */
const returned: string[] = [];
/** Signatures and grants, which were made for single requests. */
const made = new Set<string>();

const MODELS = {
  'azure-key': 'gpt-4.1',
  'azure-entra': 'gpt-4.1',
  'azure-stored': 'gpt-4.1',
  'aws-keys': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'aws-container': 'us.amazon.nova-pro-v1:0',
  'aws-instance': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'aws-token': 'us.amazon.nova-pro-v1:0',
  'vertex-gemini': 'gemini-2.5-pro',
  'vertex-claude': 'claude-sonnet-4-5@20250929',
  'google-ai': 'gemini-2.5-pro',
} as const;
type Entry = keyof typeof MODELS;

function entriesAt(origin: string): readonly object[] {
  const account = { client_email: 'a@b', private_key: PEM, token_uri: `${origin}/google-token`, project_id: 'mine' };
  const entra = (clientSecret: string) =>
    JSON.stringify({ tenantId: TENANT, clientId: TENANT, clientSecret, authority: origin });
  const keys = `${SECRETS['the id of the key of AWS']}:${SECRETS['the key of AWS']}:${SECRETS['the session of AWS']}`;
  const vertex = { kind: 'vertex', location: 'global', credential: JSON.stringify(account) };
  const bedrock = { kind: 'bedrock', region: 'us-east-1' };
  const fields: Readonly<Record<Entry, object>> = {
    'azure-key': { kind: 'azure', credential: SECRETS['the key of Azure'] },
    'azure-entra': { kind: 'azure', credential: entra(SECRETS['the secret of Entra ID']) },
    'azure-stored': { kind: 'azure', credential: entra(SECRETS['the stored secret']) },
    'aws-keys': { ...bedrock, credential: keys },
    'aws-container': { ...bedrock, credentialFrom: 'container' },
    'aws-instance': { ...bedrock, credentialFrom: 'instance' },
    'aws-token': { ...bedrock, credential: SECRETS['the token of Bedrock'] },
    'vertex-gemini': vertex,
    'vertex-claude': vertex,
    'google-ai': { kind: 'google', credential: SECRETS['the key of Google AI'] },
  };
  return Object.entries(fields).map(([name, more]) => ({
    name,
    origin,
    ...more,
    models: [
      { id: `canary/${name}`, upstream: MODELS[name as Entry], prices: { input: 1, output: 5 }, outputCap: 9_000 },
    ],
  }));
}

before(async () => {
  const upstream = await startScriptedUpstream((exchange) => answer(exchange));
  const { origin } = upstream;
  bench = await openBenchWith(
    upstream,
    { providers: entriesAt(origin).filter((entry) => (entry as { name: string }).name !== 'azure-stored') },
    {
      clock,
      environment: {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/container`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN: SECRETS['the token for the container’s service'],
        AWS_EC2_METADATA_SERVICE_ENDPOINT: origin,
      },
    },
  );
  const credential = JSON.stringify({
    tenantId: TENANT,
    clientId: TENANT,
    clientSecret: SECRETS['the stored secret'],
    authority: origin,
  });
  const settings = [{ upstream: 'gpt-4.1', id: 'canary/azure-stored', price: { input: '1', output: '5' } }];
  await operate('POST', '/control/api/providers', {
    ...{ name: 'azure-stored', kind: 'azure', origin, credential, model_settings: settings },
  });
});
after(() => bench.close());

async function operate(method: string, path: string, body?: object): Promise<void> {
  const answered = await control(bench.dataFolder, method, path, body);
  assert.ok(answered.status < 300, JSON.stringify(answered));
  returned.push(JSON.stringify(answered));
}

/** The tokens, as their services hand them out. */
const services: Readonly<Record<string, (exchange: Exchange) => string>> = {
  '/google-token': () => JSON.stringify({ access_token: SECRETS['the token of Google'], expires_in: 3600 }),
  [`/${TENANT}/oauth2/v2.0/token`]: () =>
    JSON.stringify({ access_token: SECRETS['the token of Entra ID'], expires_in: '3600' }),
  '/container': () => keysOf(SECRETS['the key of the container'], SECRETS['the session of the container']),
  '/latest/api/token': () => SECRETS['the session of the metadata service'],
  '/latest/meta-data/iam/security-credentials/': () => 'my-role',
  '/latest/meta-data/iam/security-credentials/my-role': () =>
    keysOf(SECRETS['the key of the instance'], SECRETS['the session of AWS']),
};

function keysOf(SecretAccessKey: string, Token: string): string {
  const Expiration = new Date(clock.now() + 6 * 3_600_000).toISOString();
  return JSON.stringify({ AccessKeyId: SECRETS['the id of the key of AWS'], SecretAccessKey, Token, Expiration });
}

let servicesFail = true;
let provider: Script = (exchange) => repeat(exchange, 400);

function answer(exchange: Exchange): void | Promise<void> {
  for (const [, value] of exchange.request.rawHeaders) {
    const signature = /Signature=([0-9a-f]{64})/.exec(value)?.[1];
    if (signature !== undefined) made.add(signature);
  }
  const grant = /assertion=([\w.%-]+)/.exec(exchange.request.body.toString())?.[1];
  if (grant !== undefined) made.add(grant.split('.')[2] ?? grant);
  const service = services[pathOf(exchange)];
  if (service === undefined) return provider(exchange);
  return servicesFail ? repeat(exchange, 400) : exchange.whole(200, service(exchange));
}

/** All that a provider may know: what it was sent, and what the operator entered there. */
function echoOf({ request }: Exchange): string {
  const heads = request.rawHeaders.map(([name, value]) => `${name}: ${value}`).join(' ');
  return `${heads} ${request.body.toString().slice(0, 20_000)} ${pathOf({ request } as Exchange)}`;
}

function repeat(exchange: Exchange, status: number): Promise<void> {
  const echo = echoOf(exchange);
  const header = echo.replace(/[^\x20-\x7e]/g, ' ').slice(0, 8000);
  const error = { message: echo, type: 'x', code: echo, status: 'INVALID_ARGUMENT', details: [{ reason: echo }] };
  return exchange.whole(status, JSON.stringify({ error, message: echo, __type: echo, echo }), {
    ...{ 'x-request-id': header, 'request-id': header, 'apim-request-id': header, 'x-amzn-requestid': header },
    ...{
      'x-amzn-errortype': header,
      'retry-after': header,
      location: `http://127.0.0.1:9/?${encodeURIComponent(header)}`,
    },
  });
}

const CALLS: readonly (readonly [path: string, body: (model: string) => object])[] = [
  ['/v1/chat/completions', (model) => ({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })],
  ['/v1/messages', (model) => ({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })],
  ['/v1/responses', (model) => ({ model, max_output_tokens: 99, input: 'hi' })],
  ['/v1/responses/input_tokens', (model) => ({ model, input: 'hi' })],
  ['/v1/messages/count_tokens', (model) => ({ model, messages: [{ role: 'user', content: 'hi' }] })],
];

/** `turn`: only every third call of each entry, other ones with the next turn. */
async function callAll(turn: number | null = null): Promise<void> {
  let at = 0;
  const isSkipped = () => turn !== null && at++ % 3 !== turn % 3;
  for (const entry of Object.keys(MODELS)) {
    const model = `canary/${entry}`;
    for (const [path, body] of CALLS)
      for (const stream of path.includes('tokens') ? [{}] : [{}, { stream: true }])
        if (!isSkipped()) await show(bench.post(path, { ...body(model), ...stream }));
    for (const verb of ['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent']) {
      if (isSkipped()) continue;
      await show(
        bench.post(`/v1beta/models/${model}:${verb}`, {
          ...(verb === 'embedContent'
            ? { content: { parts: [{ text: 'hi' }] } }
            : { contents: [{ parts: [{ text: 'hi' }] }] }),
        }),
      );
    }
  }
}

async function show(answering: Promise<Response>): Promise<void> {
  const response = await answering;
  returned.push([...response.headers].join('\n'), await response.text().catch(() => 'cut off'));
}

async function testAll(): Promise<void> {
  for (const entry of Object.keys(MODELS)) await operate('POST', `/control/api/providers/${entry}/test`);
}

test('services for tokens that repeat what they are sent', { timeout: 60_000 }, async () => {
  await callAll();
  await testAll();
  servicesFail = false;
  // A service that failed is not asked again at once.
  clock.advance(60_000);
});

for (const [turn, status] of [302, 400, 401, 403, 404, 429, 500].entries())
  test(`providers that refuse with ${status} and repeat what they were sent`, { timeout: 60_000 }, async () => {
    provider = (exchange) => repeat(exchange, status);
    await callAll(turn);
    await testAll();
  });

test('providers that repeat it in good answers and in streams', { timeout: 60_000 }, async () => {
  provider = (exchange) =>
    exchange.whole(200, JSON.stringify({ data: [{ id: echoOf(exchange) }], echo: echoOf(exchange) }));
  await callAll();
  await testAll();
  provider = async (exchange) => {
    const echo = echoOf(exchange);
    const error = { type: 'error', error: { type: 'x', message: echo } };
    const isBinary = /-stream$/.test(pathOf(exchange));
    await exchange.openStream(isBinary ? { 'content-type': 'application/vnd.amazon.eventstream' } : {});
    if (isBinary) {
      await exchange.chunk(encodeEvent('messageStart', { role: 'assistant', echo }));
      await exchange.chunk(encodeChunk(JSON.stringify(error)));
      await exchange.chunk(encodeException('validationException', echo));
    } else {
      await exchange.chunk(`: ${echo}\n\nevent: notice\ndata: ${JSON.stringify({ type: 'notice', echo })}\n\n`);
      await exchange.chunk(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
    }
    await exchange.lastChunk();
  };
  await callAll();
});

test('nothing that was returned, measured, logged or stored contains a secret', async () => {
  const paths = bench.upstream.exchanges.map(pathOf);
  for (const service of Object.keys(services)) assert.ok(paths.includes(service), `${service} was asked`);
  assert.ok(made.size > 20 && paths.length > 300, `${made.size} signatures, ${paths.length} requests`);
  await show(fetch(`${bench.url}/metrics`));
  for (const path of ['providers', 'audit', 'provider-kinds']) await operate('GET', `/control/api/${path}`);
  const places: [string, Buffer][] = [
    ['what was returned', Buffer.from(returned.join('\n'))],
    ['the log', Buffer.from(bench.log.join('\n'))],
    ...readdirSync(bench.dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, Buffer] => [entry.name, readFileSync(join(entry.parentPath, entry.name))]),
  ];
  assert.ok(places.some(([place]) => place === 'turnpike.db'));
  const searched: readonly (readonly [string, string])[] = [
    ...Object.entries(SECRETS),
    ...[...made].map((value) => ['a signature', value] as const),
  ];
  const found = new Set<string>();
  for (const [place, bytes] of places)
    for (const [name, secret] of searched)
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        if (secret !== '' && bytes.includes(form)) found.add(`${name} in ${place}`);
  assert.deepEqual([...found], []);
});
