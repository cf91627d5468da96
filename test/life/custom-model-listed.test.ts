/**
 * Goal: for a model that only the configuration knows, the model lists show what its entry says, and invent nothing.
 * Method: a whole entry and a bare one, and a known model whose entry differs, asked for over the network.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const WHOLE = {
  id: 'acme/large',
  upstream: 'large',
  name: 'Acme Large',
  contextWindow: 131_072,
  outputCap: 8192,
  inputModalities: ['image', 'text'],
  outputModalities: ['text'],
  parameters: ['temperature', 'tools'],
  prices: { input: '0.15', output: '0.60', cacheRead: '0.015', request: '0.001' },
};

let gateway: OpenGateway;
before(async () => {
  const known = { id: 'openai/gpt-4o', upstream: 'ours', inputModalities: ['text'], prices: 'free' };
  const models = [WHOLE, { upstream: 'bare', prices: 'free' }, known];
  gateway = await openGateway({ providers: [{ name: 'lab', kind: 'custom', origin: 'http://127.0.0.1:9', models }] });
});
after(() => gateway.close());

interface Listed {
  readonly id: string;
  readonly architecture: { readonly input_modalities: readonly string[] };
}

async function list(path: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly Listed[]> {
  const response = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${gateway.key}`, ...headers } });
  return ((await response.json()) as { data: Listed[] }).data;
}

async function listed(path: string, id: string, headers?: Readonly<Record<string, string>>): Promise<Listed> {
  return (await list(path, headers)).find((model) => model.id === id) ?? assert.fail(`${id} is not listed`);
}

test('what the entry says is listed', async () => {
  assert.partialDeepStrictEqual(await listed('/api/v1/models', 'acme/large'), {
    name: 'Acme Large',
    context_length: 131_072,
    architecture: { modality: 'text+image->text', input_modalities: ['text', 'image'], output_modalities: ['text'] },
    pricing: { prompt: '0.00000015', completion: '0.0000006', input_cache_read: '0.000000015', request: '0.001' },
    top_provider: { context_length: 131_072, max_completion_tokens: 8192 },
    supported_parameters: ['temperature', 'tools'],
  });
  const anthropic = await listed('/v1/models', 'acme/large', { 'anthropic-version': '2023-06-01' });
  assert.partialDeepStrictEqual(anthropic, {
    display_name: 'Acme Large',
    max_input_tokens: 131_072,
    max_tokens: 8192,
  });
});

test('what it does not say is null or empty, and the model is a text model', async () => {
  assert.partialDeepStrictEqual(await listed('/api/v1/models', 'lab/bare'), {
    name: 'bare',
    description: '',
    context_length: null,
    architecture: { modality: 'text->text' },
    pricing: { prompt: '0', completion: '0' },
    top_provider: { context_length: null, max_completion_tokens: null },
    supported_parameters: [],
    knowledge_cutoff: null,
  });
});

test('the entry of a known model overrides what the catalogue says, and lists are filtered by it', async () => {
  assert.deepEqual((await listed('/api/v1/models', 'openai/gpt-4o')).architecture.input_modalities, ['text']);
  const seeing = await list('/api/v1/models?input_modalities=image');
  assert.deepEqual(
    seeing.map(({ id }) => id),
    ['acme/large'],
  );
});
