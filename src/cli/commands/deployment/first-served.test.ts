// Goal: what doctor calls is a model that a provider would serve now. Method: answers of the routes' plans, one per model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from './deployment.ts';
import { firstServed } from './first-served.ts';

const models = ['lab/cheap', 'lab/dear'].map((id) => ({ id, input: 1, output: 1, request: 0 }));

function deploymentWith(candidatesOf: Readonly<Record<string, readonly object[]>>): Deployment {
  const ask = async ({ body }: { readonly body: { readonly model: string } }) => {
    const data = { candidates: candidatesOf[body.model], left_out: [], max_cost: 0.001 };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) };
  };
  return { ask, key: 'sk', shown: (text: string) => text } as unknown as Deployment;
}

const ready = { provider: 'east', resting: false };
const resting = { provider: 'west', resting: true };

test('a model whose providers all rest or are left out is passed over for the next one', async () => {
  for (const first of [[], [resting]]) {
    const { model, findings } = await firstServed(deploymentWith({ 'lab/cheap': first, 'lab/dear': [ready] }), models);
    assert.equal(model?.id, 'lab/dear');
    assert.ok(findings.every(({ state }) => state === 'ok'));
  }
});

test('if none is ready, the preferred one is examined, and its routes are what is reported', async () => {
  const all = await firstServed(deploymentWith({ 'lab/cheap': [resting], 'lab/dear': [resting] }), models);
  assert.equal(all.model?.id, 'lab/cheap');
  const none = await firstServed(deploymentWith({ 'lab/cheap': [], 'lab/dear': [] }), models);
  assert.equal(none.model, null);
  assert.ok(none.findings.length > 0 && none.findings.every(({ state }) => state === 'fail'));
});
