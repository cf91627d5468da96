/**
 * Goal: own credentials can be managed from the command line without putting a secret on it. Method: `runCli` with a recording terminal,
 * over a control plane that records its requests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandRunner } from '../../../../test/support/run-commands.ts';
import type { OpenedApp } from '../../doors.ts';

const CANARY = 'sk-canary-0123456789';
const ID = '0b1c2d3e-4f50-4a61-8b72-839405a6b7c8';
const row = {
  id: ID,
  name: 'mine',
  provider: 'openai',
  label: '…6789',
  disabled: false,
  standing: 'good',
  standing_at: null,
  problem: null,
  use: 'first',
  fallback: true,
  allowed_models: null,
  base_url: null,
  project: null,
  previous_until: null,
  created_at: '2026-11-21T12:00:00.000Z',
};

interface Asked {
  readonly method: unknown;
  readonly url: string;
  readonly payload?: unknown;
}

function openBench(rows: readonly object[] = [row], changed: object = row) {
  const asked: Asked[] = [];
  const control = {
    inject: async (request: Asked) => {
      if (request.url === '/control/api/account') return reply({ data: { id: 1, name: 'Acme' } });
      if (request.method === 'GET') return reply({ data: rows });
      asked.push(request);
      if (request.url.includes('/test'))
        return reply({ data: { ok: true, status: 200, models: 3, duration_ms: 5, problem: null } });
      return reply({ data: changed });
    },
  } as unknown as OpenedApp['control'];
  const environment = { PORT: '0', MY_KEY: ` ${CANARY}\n` };
  return { ...commandRunner({ control, now: () => 0, environment }), asked };
}

function reply(body: object) {
  return { statusCode: 200, body: JSON.stringify(body) };
}

test('a credential is stored with its policy; the secret comes from a variable and is not printed', async () => {
  const { run, asked } = openBench();
  const { code, out, notes } = await run(
    'byok add openai --key env:MY_KEY --project staging --use only --models openai/*,google/gemini-3 --base-url https://eu.api.openai.com',
  );
  assert.deepEqual([code, out, notes], [0, 'Own credential mine (openai, …6789) stored.', '']);
  assert.deepEqual(asked, [
    {
      method: 'POST',
      url: '/control/api/byok?account=1',
      payload: {
        provider: 'openai',
        key: CANARY,
        project: 'staging',
        use: 'only',
        base_url: 'https://eu.api.openai.com',
        allowed_models: ['openai/*', 'google/gemini-3'],
      },
    },
  ]);
});

test('a secret on the command line is refused and not repeated; so is a missing one', async () => {
  const { run, asked } = openBench();
  for (const line of [`byok add openai --key ${CANARY}`, 'byok add openai', 'byok rotate mine', 'byok update mine']) {
    const { code, out, notes } = await run(line);
    assert.equal(code, 2, line);
    assert.ok(!(out + notes).includes(CANARY));
  }
  assert.deepEqual(asked, []);
});

test('a rotation with an overlap says until when the old secret is tried', async () => {
  const { run } = openBench([row], { ...row, previous_until: '2026-11-22T12:00:00.000Z' });
  assert.equal(
    (await run('byok rotate mine --key env:MY_KEY --overlap 24h')).out,
    'Own credential mine (openai, …6789) rotated. Until 2026-11-22 12:00:00 UTC, the old secret is tried if the new one is refused.',
  );
});

test('one is named by id or name, and changed, rotated, tested and removed', async () => {
  const { run, asked } = openBench();
  assert.equal((await run('byok update mine --no-fallback --models all')).code, 0);
  assert.equal(
    (await run(`byok rotate ${ID} --key env:MY_KEY --overlap 24h`)).out,
    'Own credential mine (openai, …6789) rotated.',
  );
  assert.equal((await run('byok disable mine')).code, 0);
  assert.equal((await run('byok test')).out, 'ok      mine: 3 models, 5 ms');
  assert.equal((await run('byok remove mine')).out, 'Own credential mine removed.');
  assert.deepEqual(
    asked.map(({ method, url, payload }) => [method, url.replace(ID, 'ID'), payload ?? null]),
    [
      ['PATCH', '/control/api/byok/ID?account=1', { fallback: false, allowed_models: null }],
      ['POST', '/control/api/byok/ID/rotate?account=1', { key: CANARY, overlap_ms: 86_400_000 }],
      ['PATCH', '/control/api/byok/ID?account=1', { disabled: true }],
      ['POST', '/control/api/byok/ID/test?account=1', null],
      ['DELETE', '/control/api/byok/ID?account=1', null],
    ],
  );
  assert.match((await run('byok remove other')).notes, /No own credential matches/);
  assert.equal((await run('byok rotate mine --key env:MY_KEY --overlap 31d')).code, 2);
});

test('a name that two have needs an id', async () => {
  const { run } = openBench([row, { ...row, id: `f${ID.slice(1)}` }]);
  assert.match((await run('byok disable mine')).notes, new RegExp(`Several own credentials match.*${ID}`));
  assert.equal((await run(`byok disable ${ID}`)).code, 0);
});

test('the list says for what each is used', async () => {
  const { out } = await openBench([
    row,
    {
      ...row,
      project: { id: 2, name: 'staging' },
      use: 'only',
      fallback: false,
      allowed_models: ['openai/*'],
      disabled: true,
    },
  ]).run('byok list');
  assert.match(out, /mine\s+openai\s+…6789\s+all\s+all\s+first, then the operator's\s+good/);
  assert.match(out, /staging\s+openai\/\*\s+only\s+disabled/);
});
