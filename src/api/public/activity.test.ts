/**
 * Goal: every key reads only its own sums, and a filter never widens that. Method: the query that the reader receives, and the SDK's
 * schema.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActivityResponse$inboundSchema } from '@openrouter/sdk/models/activityresponse.js';
import type { Key } from '../../accounts/keys.ts';
import type { Project } from '../../accounts/ports.ts';
import { dayOf } from '../../core/calendar.ts';
import { accountId, type KeyId, keyId, projectId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import type { ActivityQuery, ActivityRow } from '../../stats/ports.ts';
import { activity } from './activity.ts';
import type { Query } from './query.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const TODAY = dayOf(NOW);

const inference = key(1, 1, 1);
const management: Key = { ...key(2, 1, 1), kind: 'management' };
/** A revoked key of the same project, then a key of another project, and one of another account. */
const keys = [inference, management, { ...key(3, 1, 1), revokedAt: 1 }, key(4, 2, 1), key(5, 3, 2)];
const projects = [project(1, 1), project(2, 1), project(3, 2)];

const row: ActivityRow = {
  day: TODAY,
  model: 'acme/large',
  provider: 'acme',
  calls: 3,
  failed: 1,
  promptTokens: 1_000,
  completionTokens: 200,
  cachedTokens: 500,
  reasoningTokens: 50,
  cost: nanoUsd(12_345_678_901_234_568n),
  charge: nanoUsd(12_345_678_901_234_567n),
  ownCost: nanoUsd(12_345_678_901_234_561n),
};

test('the OpenRouter SDK accepts the answer, and amounts are exact', async () => {
  const { text } = await ask(inference, {});
  const { data } = ActivityResponse$inboundSchema.parse(JSON.parse(text));
  assert.equal(data[0]?.date, '2026-11-21');
  assert.equal(data[0]?.requests, 3);
  assert.match(text, /"usage":12345678\.901234567,/);
});

const allowed: [name: string, asking: Key, query: Query, expected: Partial<ActivityQuery>][] = [
  ['a key: its project', inference, {}, { projectId: projectId(1), keyId: null }],
  ['a management key: its account', management, {}, { projectId: null, keyId: null }],
  ['30 days and the current one', inference, {}, { firstDay: TODAY - 30, lastDay: TODAY }],
  ['one day', inference, { date: '2026-11-20' }, { firstDay: TODAY - 1, lastDay: TODAY - 1 }],
  ['a day long ago', inference, { date: '2024-02-29' }, { lastDay: dayOf(Date.UTC(2024, 1, 29)) }],
  ['a revoked key', inference, { key: '3' }, { projectId: projectId(1), keyId: keyId(3) }],
  ['a key of another project, for a management key', management, { key: '4' }, { projectId: projectId(2) }],
  ['a project, for a management key', management, { project: '2' }, { projectId: projectId(2) }],
  ['its own project', inference, { project: '1' }, { projectId: projectId(1) }],
  ['an empty filter is ignored', inference, { date: '', key: '', project: '' }, { lastDay: TODAY, keyId: null }],
];

for (const [name, asking, query, expected] of allowed) {
  test(`what is read: ${name}`, async () => {
    const { read } = await ask(asking, query);
    assert.deepEqual({ ...read, ...expected }, read);
    assert.equal(read?.accountId, asking.accountId);
  });
}

const refused: [name: string, asking: Key, query: Query, code: string][] = [
  ['a key of another project', inference, { key: '4' }, 'not_found'],
  ['another project', inference, { project: '2' }, 'not_found'],
  ['a key of another account', management, { key: '5' }, 'not_found'],
  ['a project of another account', management, { project: '3' }, 'not_found'],
  ['an unknown key', management, { key: '99' }, 'not_found'],
  ['an unknown project', management, { project: '99' }, 'not_found'],
  ['a key outside the project', management, { key: '4', project: '1' }, 'not_found'],
  ['a key by its name', inference, { key: 'Server' }, 'invalid_value'],
  ['tomorrow', inference, { date: '2026-11-22' }, 'invalid_value'],
  ['an invalid day', inference, { date: '2026-02-30' }, 'invalid_value'],
  ['another form of a day', inference, { date: '20 Nov 2026' }, 'invalid_value'],
  ['two days', inference, { date: ['2026-11-20', '2026-11-19'] }, 'invalid_value'],
  ['a filter of OpenRouter’s that is not supported', inference, { api_key_hash: 'abc' }, 'unsupported_value'],
  ['a grouping that is not supported', inference, { group_by: 'workspace' }, 'unsupported_value'],
];

for (const [name, asking, query, code] of refused) {
  test(`what is refused: ${name}`, async () => {
    await assert.rejects(ask(asking, query), { code });
  });
}

async function ask(asking: Key, query: Query): Promise<{ text: string; read: ActivityQuery | null }> {
  let read: ActivityQuery | null = null;
  const answer = await activity(asking, query, {
    stats: {
      activity: async (asked) => {
        read = asked;
        return [row];
      },
    },
    keys: { get: (id: KeyId) => keys.find((known) => known.id === id) },
    scopes: { findProject: (id) => projects.find((known) => known.id === id) },
    clock: { now: () => NOW },
  });
  return { text: JSON.stringify(answer), read };
}

function key(id: number, project: number, account: number): Key {
  return { id: keyId(id), projectId: projectId(project), accountId: accountId(account), kind: 'inference' } as Key;
}

function project(id: number, account: number): Project {
  return {
    id: projectId(id),
    accountId: accountId(account),
    name: `Project ${id}`,
    createdAt: 0,
    archivedAt: null,
    limits: {},
    permissions: {},
    seq: 0,
  };
}
