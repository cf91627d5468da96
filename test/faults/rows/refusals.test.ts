/**
 * Goal: a provider's refusal of the operator, its redirects, forged headers and false identity never reach the caller as its own. Method:
 * U21–U29 of the fault table against the fault backend, in every lane, alone and with a second provider.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { certificate, trust } from '../../support/certificates.ts';
import { type FaultBench, openFaultBench } from '../../support/fault-bench.ts';
import { FORGED } from '../../support/fault-scripts.ts';
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
  // A label of 64 letters is no host name: the resolver refuses it without asking a server.
  const own = row.owns(await openFaultBench({ origins: (backend) => [`http://${'a'.repeat(64)}.test`, backend] }));
  const alone = row.owns(await openFaultBench({ origins: () => [`http://${'a'.repeat(64)}.test`] }));
  for (const each of [alone, own]) {
    for (const { lane, streamed } of WAYS) {
      const suffered = await each.suffer(lane, streamed);
      assert.ok(suffered.tookMs < 2_000, `${suffered.tookMs} ms`);
      assert.equal(suffered.code, each === alone ? 'upstream_unreachable' : null, suffered.text);
      assert.equal(suffered.ledger, each === alone ? 'LV' : 'LP');
      if (each === alone) row.suffered(suffered);
      else row.fellBack(suffered);
    }
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
