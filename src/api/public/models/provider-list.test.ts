/** Goal: the list has the providers of the models that a key may use, and vendors' pages only for vendors. Method: three providers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listProvidersResponseFromJSON } from '@openrouter/sdk/models/operations/listproviders.js';
import type { Model } from '../../../catalog/model.ts';
import type { Provider } from '../../../providers/provider.ts';
import { listProviders } from './provider-list.ts';

const providers = new Map(
  [
    { name: 'openai', kind: 'openai', displayName: 'OpenAI', origin: 'https://api.openai.com' },
    { name: 'openai-proxy', kind: 'openai', displayName: 'openai-proxy', origin: 'https://proxy.example.com' },
    { name: 'mine', kind: 'custom', displayName: 'mine', origin: 'http://10.0.0.1' },
    { name: 'eu', kind: 'bedrock', displayName: 'eu', origin: 'https://bedrock-runtime.eu-west-1.amazonaws.com' },
  ].map((each) => [each.name, each as Provider]),
);

function servedBy(...names: string[]): Model {
  return { targets: names.map((provider) => ({ provider })) } as unknown as Model;
}

test("OpenRouter's own client can read the list", () => {
  const read = listProvidersResponseFromJSON(listProviders(providers, [servedBy('openai', 'mine')]));
  assert.ok(read.ok, String(read.ok || read.error));
  assert.deepEqual(
    read.value.data.map(({ name, slug, statusPageUrl }) => [name, slug, statusPageUrl]),
    [
      ['OpenAI', 'openai', 'https://status.openai.com'],
      ['mine', 'mine', null],
    ],
  );
});

test('a provider that serves none of the models is not in it', () => {
  assert.deepEqual(JSON.parse(listProviders(providers, [])), { data: [] });
});

test('a vendor is known by its address: at another one it is somebody else', () => {
  const { data } = JSON.parse(listProviders(providers, [servedBy(...providers.keys())]));
  assert.deepEqual(
    data.map(({ terms_of_service_url: terms }: { terms_of_service_url: string | null }) => terms !== null),
    [true, false, false, true],
  );
});
