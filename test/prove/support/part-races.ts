/**
 * For each paid operation besides conversations: a balance for exactly ten calls and a hundred requests at once. Ten are sent to the provider, and
 * the money is right to the nano when all is over.
 */
import assert from 'node:assert/strict';
import { balanceOf } from '../../../src/billing/money-view.ts';
import { accountId } from '../../../src/core/ids.ts';
import { nanoUsd } from '../../../src/core/money.ts';
import { errorCode, type OpenGateway, openGateway } from '../../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { until } from '../../support/turns.ts';
import { inLedger } from './ledger-file.ts';
import {
  missingOperations,
  numberedParts,
  type PartName,
  partModel,
  partNames,
  partPath,
  partProviders,
} from './numbered-parts.ts';
import { between, seeded } from './seeded.ts';

const REQUESTS = 100;
const ADMITTED = 10;
const ACCOUNT = accountId(1);
/** The number of every call of a race, so that each takes the same hold. */
const NUMBER = 40;

interface Bench {
  readonly gateway: OpenGateway;
  readonly upstream: ScriptedUpstream;
}

/** Returns figures; throws at the first violation. */
export async function partRaces(rounds: number, seed: number): Promise<string> {
  assert.deepEqual(missingOperations, [], 'paid operations without a numbered call');
  const random = seeded(seed);
  const upstream = await startScriptedUpstream(() => undefined);
  const gateway = await openGateway({ providers: partProviders(upstream.origin), billing: { firstRunCredit: '0' } });
  try {
    for (let round = 1; round <= rounds; round += 1)
      for (const name of partNames) await race({ gateway, upstream }, name, random);
  } finally {
    await gateway.close();
    await upstream.close();
  }
  return `${rounds * partNames.length} races of ${REQUESTS} requests for ${ADMITTED} holds, of ${partNames.join(', ')}: ${ADMITTED} admitted in each, 0 nano-USD off`;
}

async function race(bench: Bench, name: PartName, random: () => number): Promise<void> {
  const { gateway, upstream } = bench;
  const { bank, running } = gateway.app.gateway;
  const charge = numberedParts[name].chargeOf(NUMBER);
  const hold = await holdOf(bench, name);
  assert.ok(hold >= charge, `${name} is held for at ${hold} and costs ${charge}`);
  // A little is left over: too little for another call.
  const whole = hold * BigInt(ADMITTED) + BigInt(between(random, 0, Number(hold) - 1));
  await setBalance(gateway, whole);
  const waiting: Exchange[] = [];
  upstream.play((exchange) => void waiting.push(exchange));
  const statuses: number[] = [];
  const asked = Array.from({ length: REQUESTS }, async () => {
    const response = await send(gateway, name);
    const body = await response.text();
    statuses.push(response.status);
    if (response.status !== 200) assert.equal(errorCode(JSON.parse(body)), 'balance_reserved', body);
  });
  const all = Promise.all(asked);
  await Promise.race([all, until('all to be decided', () => statuses.length + waiting.length >= REQUESTS)]);
  assert.equal(waiting.length, ADMITTED, `requests of ${name} that reached the provider`);
  const during = await balanceOf(bank.money, ACCOUNT);
  assert.deepEqual([during?.held, during?.balance], [hold * BigInt(ADMITTED), whole]);
  for (const exchange of waiting) void answer(exchange, name);
  await all;
  assert.deepEqual(
    [200, 402].map((status) => statuses.filter((each) => each === status).length),
    [ADMITTED, REQUESTS - ADMITTED],
  );
  await until('all calls to end', () => running.count === 0);
  const after = await balanceOf(bank.money, ACCOUNT);
  const left = whole - charge * BigInt(ADMITTED);
  assert.deepEqual([after?.balance, after?.held], [left, 0n], name);
  const totals = inLedger(gateway.dataFolder, (file) => file.check());
  assert.deepEqual([totals.balance, totals.openHolds], [left, 0]);
}

/** What one such call is held for, by making it. */
async function holdOf({ gateway, upstream }: Bench, name: PartName): Promise<bigint> {
  await setBalance(gateway, 1_000_000_000_000n);
  upstream.play((exchange) => answer(exchange, name));
  const ended = gateway.nextRecord();
  const response = await send(gateway, name);
  assert.equal(response.status, 200, await response.text());
  const { hold, charge } = await ended;
  assert.equal(charge, numberedParts[name].chargeOf(NUMBER), name);
  return hold ?? 0n;
}

function send({ url, key }: OpenGateway, name: PartName): Promise<Response> {
  const { body, type } = numberedParts[name].ask(partModel(name), NUMBER, '#race#');
  return fetch(url + partPath(name), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: new Uint8Array(body),
  });
}

async function answer(exchange: Exchange, name: PartName): Promise<void> {
  const { body, type } = numberedParts[name].answer(NUMBER);
  await exchange.whole(200, body, { 'content-type': type });
}

let entries = 0;

async function setBalance({ app }: OpenGateway, wanted: bigint): Promise<void> {
  const { bank, clock } = app.gateway;
  const amount = nanoUsd(wanted - ((await balanceOf(bank.money, ACCOUNT))?.balance ?? 0n));
  if (amount === 0n) return;
  entries += 1;
  const entry = { accountId: ACCOUNT, kind: 'adjustment', amount, callId: null, note: null } as const;
  await bank.post({ ...entry, reference: `race of parts ${entries}`, at: clock.now() });
}
