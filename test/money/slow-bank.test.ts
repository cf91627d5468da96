/**
 * Goal: a bank that must ask another system for money may answer later; a call that waits for it is admitted like others, and leaves
 * nothing behind if it is refused or ended meanwhile. Method: the gateway's own bank, whose answer the test holds back.
 */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { balanceOf } from '../../src/billing/money-view.ts';
import { UNWRITABLE } from '../../src/billing/refusal.ts';
import type { AccountId } from '../../src/core/ids.ts';
import { chatBody, errorCode, type OpenBench, openBench } from '../support/open-gateway.ts';

const CHAT = '/api/v1/chat/completions';

let gateway: OpenBench;
/** Lets the bank answer what it is asked. */
type Answer = (failure?: Error) => void;
/** Resolves when the bank is asked next. */
let nextAnswer: () => Promise<Answer>;

beforeEach(async () => {
  gateway = await openBench({ billing: { firstRunCredit: '5' } });
  const { bank } = gateway.app.gateway;
  const hold = bank.hold.bind(bank);
  const asked: ((answer: Answer) => void)[] = [];
  nextAnswer = () => new Promise((resolve) => asked.push(resolve));
  bank.hold = (request) =>
    new Promise((resolve, reject) => {
      asked.shift()?.((failure) => (failure === undefined ? resolve(hold(request)) : reject(failure)));
    });
});
afterEach(() => gateway.close());

async function ask(body: object = chatBody(false)): Promise<{ status: number; code: string | null }> {
  const response = await gateway.post(CHAT, body);
  return { status: response.status, code: errorCode(await response.json()) };
}

function changeKey(changes: object): void {
  const { keys } = gateway.app.gateway;
  const key = keys.find(gateway.key);
  assert.ok(key);
  keys.put({ ...key, digest: key.digest, updatedAt: key.updatedAt, seq: key.seq + 1, ...changes });
}

async function held(): Promise<bigint> {
  const { bank, keys } = gateway.app.gateway;
  const balance = await balanceOf(bank.money, keys.find(gateway.key)?.accountId as AccountId);
  return balance?.held ?? -1n;
}

test('a call whose bank answers later is answered and settled like any other', async () => {
  const [answered, asking, ended] = [nextAnswer(), ask(), gateway.nextRecord()];
  const answer = await answered;
  assert.equal(gateway.upstream.exchanges.length, 0, 'no provider is asked before money is held');
  answer();
  assert.equal((await asking).status, 200);
  const { ending, charge, hold } = await ended;
  assert.equal(ending, 'complete');
  assert.ok(charge > 0n && hold !== null && charge <= hold);
  assert.equal(await held(), 0n);
});

test('a call that the bank refuses later is not counted in its limits', async () => {
  changeKey({ limits: { requestsPerMinute: 1, budgets: { total: 1n } } });
  for (let round = 0; round < 2; round += 1) {
    const [answered, asking] = [nextAnswer(), ask()];
    (await answered)();
    assert.equal((await asking).code, 'budget_exceeded');
  }
});

test('a call whose bank fails is not counted in its limits, and gets no more detail than that', async () => {
  changeKey({ limits: { requestsPerMinute: 1 } });
  const [first, asking] = [nextAnswer(), ask()];
  (await first)(new Error('nobody was there to ask'));
  assert.deepEqual(await asking, { status: 500, code: 'internal_error' });
  const [second, again] = [nextAnswer(), ask()];
  (await second)();
  assert.equal((await again).status, 200);
});

test('a bank that cannot be reached is 503 with Retry-After, never 402, and the call is not counted in its limits', async () => {
  changeKey({ limits: { requestsPerMinute: 1 } });
  const { bank } = gateway.app.gateway;
  const { hold } = bank;
  bank.hold = async () => UNWRITABLE;
  const response = await gateway.post(CHAT, chatBody(false));
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1']);
  assert.equal(errorCode(await response.json()), 'ledger_unavailable');
  bank.hold = hold;
  const [answered, asking] = [nextAnswer(), ask()];
  (await answered)();
  assert.equal((await asking).status, 200);
});

for (const [what, changes, status, code] of [
  ['is disabled', { disabled: true }, 401, 'invalid_api_key'],
  ['loses the model', { permissions: { modelsDeny: ['scripted/*'] } }, 403, 'model_not_allowed'],
  ['loses its address', { permissions: { ips: ['192.0.2.1'] } }, 403, 'permission_denied'],
] as const) {
  test(`a call whose key ${what} while the bank is asked is refused, costs nothing and holds nothing`, async () => {
    const [answered, asking, ended] = [nextAnswer(), ask(), gateway.nextRecord()];
    const answer = await answered;
    changeKey(changes);
    answer();
    assert.deepEqual(await asking, { status, code });
    const { ending, charge, cost } = await ended;
    assert.deepEqual([ending, charge, cost], ['key_cut', 0n, 0n]);
    assert.equal(await held(), 0n);
    assert.equal(gateway.upstream.exchanges.length, 0);
  });
}

test('a call whose caller leaves while the bank is asked costs nothing and holds nothing', async () => {
  const answered = nextAnswer();
  const leaving = new AbortController();
  const { url, key } = gateway;
  const asking = fetch(url + CHAT, {
    method: 'POST',
    body: JSON.stringify(chatBody(true)),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    signal: leaving.signal,
  });
  const [call, ended] = [gateway.nextCall(), gateway.nextRecord()];
  const answer = await answered;
  const { response } = await call;
  const closed = new Promise((resolve) => response.once('close', resolve));
  leaving.abort();
  await assert.rejects(asking);
  await closed;
  answer();
  const { ending, charge, cost } = await ended;
  assert.deepEqual([ending, charge, cost], ['caller_left', 0n, 0n]);
  assert.equal(await held(), 0n);
  assert.equal(gateway.upstream.exchanges.length, 0);
});
