/**
 * Goal: a provider's refusal of the operator, its redirects, forged headers and false identity never reach the caller as its own. Method:
 * U21–U29 of the fault table against the fault backend, in every lane, alone and with a second provider.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { certificate, trust } from '../../support/certificates.ts';
import { goodAnswer } from '../../support/fault-answers.ts';
import { asked } from '../../support/fault-backend.ts';
import { type FaultBench, openFaultBench } from '../../support/fault-bench.ts';
import { FORGED, giveGood } from '../../support/fault-scripts.ts';
import { standInForResolver } from '../../support/host-names.ts';
import { ALL_LANES, type AnyLane } from '../../support/ledger-bench.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { faultRow, type RowNotes } from './fault-row.ts';

const FILE = import.meta.filename;

let bench: FaultBench;
/** The backend fails; the provider after it is good. */
let pair: FaultBench;
let good: FaultBench;
before(async () => {
  bench = await openFaultBench();
  good = await openFaultBench();
  pair = await openFaultBench({ origins: (backend) => [backend, good.upstream.origin] });
});
after(async () => {
  await pair.close();
  await good.close();
  await bench.close();
});

const WAYS = ALL_LANES.flatMap((lane) => [true, false].map((streamed) => ({ lane, streamed })));

/** Alone it is this error, at no charge; with a second provider it is the answer, charged once. */
async function refusedThenServed(
  row: RowNotes,
  fault: string,
  codeOf: (lane: AnyLane) => string,
  statuses: readonly number[] = [502],
): Promise<void> {
  for (const each of [bench, pair]) {
    each.play(fault);
    for (const { lane, streamed } of WAYS) {
      const [asked, askedGood] = [each.upstream.exchanges.length, good.upstream.exchanges.length];
      const suffered = await each.suffer(lane, streamed);
      const named = `${fault}, ${lane.name}: ${suffered.response.status} ${suffered.text.slice(0, 300)}`;
      // In some formats the provider's own body passes with its status, if the caller's format is the same.
      const isTheirs = isRelayed(lane) && suffered.response.status === Number(fault.split('@')[1]);
      if (!isTheirs || suffered.code !== null) assert.equal(suffered.code, each === bench ? codeOf(lane) : null, named);
      assert.ok(each === pair || statuses.includes(suffered.response.status), named);
      assert.equal(suffered.ledger, each === bench ? 'LV' : 'LP', named);
      assert.equal(each.upstream.exchanges.length - asked, 1, 'it is asked once');
      assert.equal(good.upstream.exchanges.length - askedGood, each === bench ? 0 : 1);
      assert.doesNotMatch(suffered.text, /credential-of/);
      if (each === bench) row.suffered(suffered);
      else row.fellBack(suffered);
    }
  }
}

const REJECTED = () => 'upstream_credential_rejected';
const isRelayed = ({ dialect, upstream }: AnyLane) => String(dialect) === String(upstream);

faultRow('U21', FILE, async (row) => {
  for (const status of [401, 403]) await refusedThenServed(row, `status@${status}`, REJECTED);
});

faultRow('U22', FILE, async (row) => {
  await refusedThenServed(row, 'status@402', REJECTED);
  // Google and Amazon say the same of an exhausted quota and of too many requests.
  const limited: readonly string[] = ['gemini', 'bedrock-converse'];
  const codeOf = ({ upstream }: AnyLane) => (limited.includes(upstream) ? 'upstream_rate_limited' : REJECTED());
  await refusedThenServed(row, 'quota-exceeded', codeOf, [502, 429]);
});

faultRow('U23', FILE, async (row) => {
  await refusedThenServed(row, 'status@429', () => 'upstream_rate_limited', [429]);
  bench.play('status@429');
  for (const { lane, streamed } of WAYS) {
    const { response } = await bench.suffer(lane, streamed);
    assert.equal(response.headers.get('retry-after'), '7', lane.name);
  }
});

faultRow('U24', FILE, async (row) => {
  for (const status of [500, 502]) await refusedThenServed(row, `status@${status}`, () => 'bad_gateway');
  for (const status of [503, 529])
    await refusedThenServed(row, `status@${status}`, () => 'upstream_overloaded', [503, 529]);
});

faultRow('U25', FILE, async (row) => {
  const decoy = row.owns(await startScriptedUpstream((exchange) => exchange.whole(200, '{}')));
  for (const status of [301, 302, 303, 307, 308]) {
    bench.play((exchange) => exchange.whole(status, '', { location: `${decoy.origin}/elsewhere` }));
    for (const { lane, streamed } of WAYS) {
      const suffered = await bench.suffer(lane, streamed);
      assert.equal(suffered.code, 'bad_gateway', suffered.text);
      assert.equal(suffered.ledger, 'LV');
      assert.equal(suffered.response.headers.get('location'), null);
      row.suffered(suffered);
    }
  }
  assert.equal(decoy.connections, 0, 'it is never followed');
});

faultRow('U26', FILE, async (row) => {
  for (const [fault, code] of [
    ['informational@16', null],
    ['informational@17', 'bad_gateway'],
    ['switch-protocols', 'upstream_unreachable'],
  ] as const) {
    bench.play(fault);
    for (const { lane, streamed } of WAYS) {
      const suffered = await bench.suffer(lane, streamed);
      assert.equal(suffered.code, code, `${fault}, ${lane.name}: ${suffered.text}`);
      assert.equal(suffered.ledger, code === null ? 'LP' : 'LV');
      row.suffered(suffered);
    }
  }
});

faultRow('U27', FILE, async (row) => {
  for (const [fault, code] of [
    ['forged-headers', null],
    ['large-header', 'bad_gateway'],
  ] as const) {
    bench.play(fault);
    for (const { lane, streamed } of WAYS) {
      const suffered = await bench.suffer(lane, streamed);
      assert.equal(suffered.code, code, `${fault}, ${lane.name}: ${suffered.text}`);
      assert.equal(suffered.ledger, code === null ? 'LP' : 'LV');
      const passed = [...suffered.response.headers].filter(([name, value]) => `${name}: ${value}`.includes(FORGED));
      assert.deepEqual(passed, [], lane.name);
      assert.ok(!suffered.response.headers.has('x-large'));
      row.suffered(suffered);
    }
  }
});

faultRow('U28', FILE, async (row) => {
  const names = row.owns(standInForResolver());
  const connectMs = 150;
  const timeouts = { connectMs };
  const named = (backend: string) => `http://moving.test:${new URL(backend).port}`;
  const alone = row.owns(await openFaultBench({ origins: (backend) => [named(backend)], file: { timeouts } }));
  const own = row.owns(await openFaultBench({ origins: (backend) => [named(backend), backend], file: { timeouts } }));
  for (const answer of ['ENOTFOUND', 'EAI_AGAIN'] as const) {
    names.set('moving.test', answer);
    for (const each of [alone, own]) {
      const asked = names.asked.length;
      for (const { lane, streamed } of WAYS) {
        const suffered = await each.suffer(lane, streamed);
        assert.ok(suffered.tookMs < 2_000, `${suffered.tookMs} ms`);
        assert.equal(suffered.code, each === alone ? 'upstream_unreachable' : null, suffered.text);
        assert.equal(suffered.ledger, each === alone ? 'LV' : 'LP');
        assert.doesNotMatch(suffered.text, /moving\.test/, 'the caller does not learn the name');
        if (each === alone) row.suffered(suffered);
        else row.fellBack(suffered);
      }
      assert.ok(names.asked.length - asked >= WAYS.length, 'no call relies on what the name was before');
    }
  }
  // A name server that says nothing is waited for as long as a connection.
  names.set('moving.test', 'silence');
  const waited = await Promise.all(WAYS.map(({ lane, streamed }) => alone.call(lane, streamed)));
  for (const each of waited) {
    assert.equal(each.code, 'upstream_timeout', each.text);
    assert.ok(each.tookMs >= connectMs && each.tookMs < connectMs + 3_000, `${each.tookMs} ms`);
    row.given(each);
  }
  for (const { charge } of (await alone.ledger.settled(WAYS.length)).values()) assert.equal(charge, 0n);
  const [relayed, translated] = [ALL_LANES[0], ALL_LANES[4]] as [AnyLane, AnyLane];
  for (const lane of [relayed, translated]) row.fellBack(await own.suffer(lane, lane === relayed));
  // What it says when nobody waits any more opens no connection.
  assert.equal(alone.upstream.connections, 0);
  names.answerLate(['127.0.0.1']);
  for (let turns = 0; turns < 20; turns += 1) await setImmediate();
  assert.equal(alone.upstream.connections, 0);
  // Each new connection goes where the name leads then.
  alone.play(async (exchange) => {
    const { format, streamed } = asked(exchange);
    await giveGood(goodAnswer(format), streamed)(exchange);
    exchange.finish();
  });
  for (const { lane, streamed } of WAYS)
    for (const [address, code] of [
      ['127.0.0.1', null],
      ['127.0.0.2', 'upstream_unreachable'],
    ] as const) {
      names.set('moving.test', [address]);
      const suffered = await alone.suffer(lane, streamed);
      assert.equal(suffered.code, code, `${lane.name}, ${address}: ${suffered.text}`);
      assert.equal(suffered.ledger, code === null ? 'LP' : 'LV');
      row.suffered(suffered);
    }
});

faultRow('U29', FILE, async (row) => {
  // Or the third reason would hide the others.
  trust('expired', 'elsewhere');
  for (const name of ['expired', 'elsewhere', 'unknown'] as const) {
    const secure: ScriptedUpstream = row.owns(await startScriptedUpstream(() => undefined, certificate(name)));
    const own = row.owns(await openFaultBench({ origins: () => [secure.origin] }));
    for (const { lane, streamed } of WAYS) {
      const suffered = await own.suffer(lane, streamed);
      assert.equal(suffered.code, 'upstream_unreachable', `${name}: ${suffered.text}`);
      assert.equal(suffered.ledger, 'LV');
      row.suffered(suffered);
    }
    assert.equal(secure.exchanges.length, 0, 'nothing is sent, encrypted or not');
  }
});
