/** Goal: an entry of a cloud is offered the models, at the prices, of its own region. Method: the catalogue over configured providers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfiguredModel, openCatalog } from '../catalog/open-catalog.ts';
import { priceVersionId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { configureProvider } from './configure.ts';
import { providerKinds } from './index.ts';

const credential = new Secret('ABSKcanary');

async function targetsOf(
  id: string,
  kind: 'bedrock' | 'vertex' | 'openai',
  options: object,
  models: readonly Pick<ConfiguredModel, 'upstream' | 'id'>[] = [],
) {
  const provider = configureProvider(providerKinds[kind], { name: kind, origin: null, credential, ...options });
  const catalog = await openCatalog({
    providers: [provider],
    configuredModels: models.map((model) => ({ ...NOTHING_CONFIGURED, ...model, provider: kind })),
    pin: async (targets) => targets.map(() => priceVersionId(1)),
  });
  return catalog.get(id)?.targets ?? [];
}

const NOTHING_CONFIGURED = {
  name: null,
  contextWindow: null,
  outputCap: null,
  prices: null,
  parameters: null,
  efforts: null,
  quirks: {},
};

const namesOf = async (id: string, region: string) =>
  (await targetsOf(id, 'bedrock', { region })).map(({ upstreamModel }) => upstreamModel);

for (const [region, prefix] of [
  ['us-east-1', 'us.'],
  ['eu-west-1', 'eu.'],
  ['ap-northeast-1', 'jp.'],
  ['ap-southeast-2', 'au.'],
  ['us-gov-west-1', 'us-gov.'],
  ['ca-central-1', 'us.'],
] as const)
  test(`in ${region} Claude is called by the inference profile ${prefix}`, async () => {
    const name = `${prefix}anthropic.claude-sonnet-4-5-20250929-v1:0`;
    assert.deepEqual(await namesOf('anthropic/claude-sonnet-4-5', region), [name]);
    assert.deepEqual(await namesOf('anthropic/claude-sonnet-4-5-20250929', region), [name]);
  });

test('a region without a profile of its geography is offered nothing, and no region gets the global one unasked', async () => {
  assert.deepEqual(await namesOf('anthropic/claude-sonnet-4-5', 'sa-east-1'), []);
  assert.deepEqual(await namesOf('anthropic/claude-sonnet-4-5', 'ap-south-1'), []);
});

test('Claude at Bedrock is relayed to callers of the Messages API, and translated by Converse for others', async () => {
  const [claude] = await targetsOf('anthropic/claude-sonnet-4-5', 'bedrock', { region: 'us-east-1' });
  assert.deepEqual(claude?.dialects, ['bedrock-converse', 'anthropic-messages']);
  const [nova] = await targetsOf('amazon/nova-pro-v1', 'bedrock', { region: 'us-east-1' });
  assert.deepEqual(nova?.dialects, ['bedrock-converse']);
});

test('each model at Vertex has the format of its publisher', async () => {
  const options = { location: 'global', project: 'mine' };
  const [claude] = await targetsOf('anthropic/claude-opus-4-8', 'vertex', options);
  assert.deepEqual([claude?.upstreamModel, claude?.dialects], ['claude-opus-4-8', ['anthropic-messages']]);
  const [gemini] = await targetsOf('google/gemini-2.5-pro', 'vertex', options);
  assert.deepEqual([gemini?.upstreamModel, gemini?.dialects], ['gemini-2.5-pro', ['gemini']]);
});

test('a regional profile of Bedrock, and Claude and newer Gemini at a location of Vertex, cost a tenth more', async () => {
  const input = async (id: string, kind: 'bedrock' | 'vertex', options: object) =>
    (await targetsOf(id, kind, options))[0]?.prices?.input;
  const sonnet = 'anthropic/claude-sonnet-4-5';
  const project = 'mine';
  assert.equal(await input(sonnet, 'bedrock', { region: 'eu-west-1' }), 3_300_000n);
  assert.equal(await input(sonnet, 'vertex', { project, location: 'global' }), 3_000_000n);
  assert.equal(await input(sonnet, 'vertex', { project, location: 'europe-west1' }), 3_300_000n);
  assert.equal(await input('google/gemini-2.5-pro', 'vertex', { project, location: 'europe-west1' }), 1_250_000n);
  assert.equal(await input('google/gemini-3.5-flash', 'vertex', { project, location: 'global' }), 1_500_000n);
  assert.equal(await input('google/gemini-3.5-flash', 'vertex', { project, location: 'eu' }), 1_650_000n);
});

test('OpenAI’s models since GPT-5.4 cost a tenth more where one region processes the requests', async () => {
  const input = async (id: string, origin: string | null) =>
    (await targetsOf(id, 'openai', { origin }))[0]?.prices?.input;
  assert.equal(await input('openai/gpt-5.4', null), 2_500_000n);
  assert.equal(await input('openai/gpt-5.4', 'https://eu.api.openai.com'), 2_750_000n);
  assert.equal(await input('openai/gpt-5.3-codex', 'https://eu.api.openai.com'), 1_750_000n);
  assert.equal(await input('openai/gpt-4o-mini', 'https://us.api.openai.com'), 150_000n);
});

for (const [upstream, region, price] of [
  // Listed by the operator: the global profile at its own price.
  ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'eu-west-1', 3_000_000n],
  // Without a profile, and by the ARN of an application's profile, the price of the region's.
  ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'us-east-1', 3_300_000n],
  ['arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc', 'eu-west-1', 3_300_000n],
  ['arn:aws:bedrock:sa-east-1:123456789012:application-inference-profile/abc', 'sa-east-1', 3_300_000n],
] as const)
  test(`${upstream} in ${region} has the price of where it is processed`, async () => {
    const models = [{ upstream, id: 'anthropic/claude-sonnet-4-5' }];
    const [target] = await targetsOf('anthropic/claude-sonnet-4-5', 'bedrock', { region }, models);
    assert.deepEqual([target?.upstreamModel, target?.prices?.input], [upstream, price]);
  });

test('a known name that is not offered unasked is that model once it is listed, without an id', async () => {
  const models = [{ upstream: 'global.anthropic.claude-sonnet-4-5-20250929-v1:0', id: null }];
  for (const region of ['us-east-1', 'sa-east-1']) {
    const [target] = await targetsOf('anthropic/claude-sonnet-4-5', 'bedrock', { region }, models);
    assert.deepEqual([target?.upstreamModel, target?.prices?.input], [models[0]?.upstream, 3_000_000n]);
  }
});
