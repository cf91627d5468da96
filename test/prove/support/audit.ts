/** Three logs of the same calls, the callers', the provider's and the ledger, and whether they agree. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Ending } from '../../../src/core/settlement.ts';
import type { SettledCall } from './ledger-file.ts';
import type { CallLog } from './numbered-calls.ts';
import { PIECE, PROMPT_TOKENS, storedIdsOf } from './numbered-formats.ts';
import { INPUT_NANO, OUTPUT_NANO, type Served } from './numbered-provider.ts';

export interface Logs {
  readonly calls: readonly CallLog[];
  readonly served: ReadonlyMap<number, Served>;
  readonly settled: readonly SettledCall[];
  /** Digests, in hexadecimal, of the ids that are known of what the provider keeps. */
  readonly stored: ReadonlySet<string>;
}

/** No estimate takes fewer bytes for a token. */
const BYTES_PER_TOKEN_MIN = 4;

/**
 * Throws if a charge was lost, made twice, or is wrong; or if the id of a stored answer is not known although its call was settled as complete,
 * or is known although it was not.
 */
export function audit(logs: Logs, allowed: ReadonlySet<Ending>): void {
  const callOf = new Map(logs.calls.map((call) => [call.plan.number, call]));
  const callById = new Map(logs.calls.flatMap((call) => (call.id === null ? [] : [[call.id, call] as const])));
  const byId = new Map(logs.settled.map((settled) => [settled.id, settled]));
  for (const call of logs.calls) {
    if (!call.complete) continue;
    const settled = call.id === null ? undefined : byId.get(call.id);
    assert.ok(settled, `lost: call ${call.plan.number}, ${call.id}, was seen whole and is not settled`);
    assert.equal(settled.ending, 'complete', `of call ${call.plan.number}, which was seen whole`);
    assert.equal(settled.outputTokens, call.plan.number, 'the settlement of another call');
  }
  const charged = new Set<number>();
  for (const settled of logs.settled) {
    assert.ok(allowed.has(settled.ending), `${settled.id} ended ${settled.ending}`);
    if (settled.ending === 'complete') {
      const number = settled.outputTokens;
      assert.ok(!charged.has(number), `double: call ${number} was charged twice`);
      charged.add(number);
      checkComplete(settled, callOf.get(number), logs.served.get(number));
    } else {
      const call = callById.get(settled.id);
      assert.ok(!call?.complete, `${settled.id} was seen whole and ended ${settled.ending}`);
      checkCut(settled, call === undefined ? unseen(logs) : [call], logs.served);
    }
  }
  checkStored(
    logs.stored,
    [...charged].map((number) => callOf.get(number)),
  );
}

/** What calls cost at the provider, nano-USD, as far as it served them and no settlement is theirs: nobody is charged for that. */
export function unsettledCost({ calls, served, settled }: Omit<Logs, 'stored'>): bigint {
  const ids = new Set(settled.map(({ id }) => id));
  const complete = new Set(
    settled.filter(({ ending }) => ending === 'complete').map(({ outputTokens }) => outputTokens),
  );
  let cost = 0n;
  for (const { id, plan, bodyBytes } of calls) {
    const seen = served.get(plan.number);
    if (seen === undefined || complete.has(plan.number) || (id !== null && ids.has(id))) continue;
    // What an answer that was cut cost, the provider does not report.
    cost += seen.whole
      ? BigInt(PROMPT_TOKENS) * INPUT_NANO + BigInt(plan.number) * OUTPUT_NANO
      : BigInt(bodyBytes) * INPUT_NANO + BigInt(seen.pieces * PIECE.length) * OUTPUT_NANO;
  }
  return cost;
}

function checkStored(stored: ReadonlySet<string>, complete: readonly (CallLog | undefined)[]): void {
  const expected = new Map(
    complete
      .flatMap((call) => (call?.isStored ? storedIdsOf(call.plan.number) : []))
      .map((id) => [createHash('sha256').update(id).digest('hex').slice(0, DIGEST_DIGITS), id]),
  );
  for (const [digest, id] of expected) assert.ok(stored.has(digest), `${id} is not known, and its call was settled`);
  assert.equal(stored.size, expected.size, 'ids are known of calls that were not settled as complete');
}

/** Of 16 bytes. */
const DIGEST_DIGITS = 32;

function checkComplete(settled: SettledCall, call: CallLog | undefined, served: Served | undefined): void {
  assert.ok(call, `${settled.id} is of no call that was made: ${settled.inputTokens} + ${settled.outputTokens} tokens`);
  assert.ok(call.id === null || call.id === settled.id, `double: call ${call.plan.number} has two ids`);
  assert.ok(served?.whole, `call ${call.plan.number} was charged whole, and the provider did not send it so`);
  assert.equal(settled.inputTokens, PROMPT_TOKENS);
  assert.equal(settled.charge, BigInt(PROMPT_TOKENS) * INPUT_NANO + BigInt(call.plan.number) * OUTPUT_NANO);
}

/** At most what the provider had sent; `calls` are the candidates. */
function checkCut(settled: SettledCall, calls: readonly CallLog[], served: ReadonlyMap<number, Served>): void {
  const most = calls.map((call) => {
    const pieces = served.get(call.plan.number)?.pieces ?? 0;
    // An answer of which no byte was seen costs nothing.
    if (pieces === 0) return 0n;
    const output = Math.ceil((pieces * PIECE.length) / BYTES_PER_TOKEN_MIN);
    return BigInt(call.bodyBytes) * INPUT_NANO + BigInt(output) * OUTPUT_NANO;
  });
  const bound = most.reduce((left, right) => (left > right ? left : right), 0n);
  assert.ok(settled.charge <= bound, `${settled.id} is charged ${settled.charge} and was sent ${bound}`);
  assert.ok(settled.charge === 0n || (settled.ending === 'gateway_crashed' && settled.usageSource === 'estimated'));
}

function unseen({ calls }: Logs): readonly CallLog[] {
  return calls.filter(({ id }) => id === null);
}
