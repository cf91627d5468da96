/**
 * Goal: rights are checked when they are used: what a key lost while its request was arriving applies. Method: everything
 * but the end of a body is sent, the key, its project or its account is changed in the mirrors, and the rest follows.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Key } from '../../src/accounts/keys.ts';
import type { Account, Project } from '../../src/accounts/ports.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { parseUsd } from '../../src/core/money.ts';
import { createKey } from '../support/control.ts';
import { errorCode, OPEN_MODEL, type OpenBench, openBench, scriptedProvider } from '../support/open-gateway.ts';
import { statusOf } from '../support/raw-connection.ts';
import { until } from '../support/turns.ts';

interface Change {
  readonly key?: (key: Key) => Partial<Key>;
  readonly project?: Partial<Project>;
  readonly account?: Partial<Account>;
  readonly status: number;
  readonly code: string;
}

const NOW = 1_800_000_000_000;
const changes: Readonly<Record<string, Change>> = {
  'its key revoked': { key: () => ({ revokedAt: NOW }), status: 401, code: 'invalid_api_key' },
  'its key disabled': { key: () => ({ disabled: true }), status: 401, code: 'invalid_api_key' },
  'its key expired': { key: () => ({ expiresAt: NOW - 1 }), status: 401, code: 'invalid_api_key' },
  'its key rotated without a grace': { key: () => ({ retiringAt: NOW - 1 }), status: 401, code: 'invalid_api_key' },
  'its project archived': { project: { archivedAt: NOW }, status: 401, code: 'invalid_api_key' },
  'its account closed': { account: { closedAt: NOW }, status: 401, code: 'invalid_api_key' },
  'its key’s budget set to nothing': {
    key: () => ({ limits: { budgets: { total: parseUsd('0') } } }),
    status: 402,
    code: 'budget_exceeded',
  },
  'its project’s budget set to nothing': {
    project: { limits: { budgets: { day: parseUsd('0') } } },
    status: 402,
    code: 'budget_exceeded',
  },
  'its model taken from the key': {
    key: () => ({ permissions: { modelsDeny: [OPEN_MODEL] } }),
    status: 403,
    code: 'model_not_allowed',
  },
  'its model taken from the account': {
    account: { permissions: { modelsAllow: ['other/*'] } },
    status: 403,
    code: 'model_not_allowed',
  },
  'its address taken from the key': {
    key: () => ({ permissions: { ips: ['10.0.0.1'] } }),
    status: 403,
    code: 'permission_denied',
  },
  'its operation taken from the project': {
    project: { permissions: { operations: [] } },
    status: 403,
    code: 'permission_denied',
  },
};

const CHAT = '/api/v1/chat/completions';
const PATHS = [CHAT, '/v1/messages', '/v1/messages/count_tokens'];

let bench: OpenBench;
let keysMade = 0;
before(async () => {
  bench = await openBench({}, { clock: new ManualClock(NOW) });
});
after(() => bench.close());

/** A key in a separate project, with its secret. */
async function newKey(): Promise<{ readonly secret: string; readonly key: Key }> {
  keysMade += 1;
  const secret = await createKey(bench.dataFolder, `on the way ${keysMade}`);
  const key = bench.app.gateway.keys.find(secret);
  assert.ok(key);
  return { secret, key };
}

for (const path of PATHS) {
  describe(`${path} is refused if, while its body was arriving, it had`, () => {
    for (const [what, change] of Object.entries(changes)) {
      test(what, async () => {
        const { secret, key } = await newKey();
        const { keys } = bench.app.gateway;
        const [project, account] = [keys.scopes.project(key.projectId), keys.scopes.account(key.accountId)];
        const asked = bench.upstream.exchanges.length;
        const connection = await bench.connect();
        const entered = bench.nextCall();
        const body = JSON.stringify({ model: OPEN_MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
        await connection.write(
          `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -5)}`,
        );
        const call = await entered;
        await until('the body to be read', () => call.active !== null);
        try {
          if (change.key) keys.put({ ...changed(key), ...change.key(key) });
          if (change.project) keys.scopes.putProject({ ...project, ...change.project, seq: project.seq + 1 });
          if (change.account) keys.scopes.putAccount({ ...account, ...change.account, seq: account.seq + 1 });
          await connection.write(body.slice(-5));
          const answer = await connection.answer();
          assert.equal(statusOf(answer), change.status, String(answer?.body));
          assert.equal(errorCode(JSON.parse(String(answer?.body))), change.code);
          assert.equal(bench.upstream.exchanges.length, asked, 'no provider was asked');
        } finally {
          keys.scopes.putProject({ ...project, seq: project.seq + 2 });
          keys.scopes.putAccount({ ...account, seq: account.seq + 2 });
          connection.close();
        }
      });
    }
  });
}

test('a key revoked while a large request is translated pays nothing and calls no provider', async () => {
  const asked = bench.upstream.exchanges.length;
  const provider = { ...scriptedProvider('messages', bench.upstream.origin), dialects: ['anthropic-messages'] };
  const translating = await openBench({ providers: [provider] }, { clock: new ManualClock(NOW) });
  try {
    const { keys } = translating.app.gateway;
    const key = keys.find(translating.key);
    assert.ok(key);
    const entered = translating.nextCall();
    const content = 'word\n'.repeat(300_000);
    const answered = translating.post(CHAT, { model: OPEN_MODEL, messages: [{ role: 'user', content }] });
    const call = await entered;
    await until('the request to be read', () => call.translation !== null);
    assert.equal(call.hold, null);
    keys.put({ ...changed(key), revokedAt: NOW });
    const response = await answered;
    assert.equal(response.status, 401);
    assert.equal(errorCode(await response.json()), 'invalid_api_key');
    assert.equal(call.hold, null);
    assert.equal(bench.upstream.exchanges.length, asked);
  } finally {
    await translating.close();
  }
});

/** As its next change leaves it. A key of the mirror keeps two of its fields elsewhere. */
function changed(key: Key): Key {
  return { ...key, digest: key.digest, updatedAt: key.updatedAt, seq: key.seq + 1 };
}
