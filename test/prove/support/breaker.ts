/**
 * Three scripted providers of one model under the real program, and callers that come at a steady rate whatever the answers are. Time is
 * real here; the same rules with a clock that a test moves are in `test/faults/resting-providers.test.ts`.
 */
import assert from 'node:assert/strict';
import { setInterval as ticks } from 'node:timers/promises';
import { chatBody, PATHS, scriptedProvider } from '../../support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { answerWell, refuse, resetAtOnce } from '../../support/upstream-scripts.ts';
import { seeded } from './seeded.ts';

const WARM_MS = 5_000;
const FAILS_MS = 20_000;
/** After this, callers of one bad provider of three hardly see an error. */
const SETTLED_MS = 5_000;
const ERRORS_MAX = 0.01;
/** Within which a provider that is well again gets its calls back. */
const BACK_MS = 30_000;
const ALL_FAIL_MS = 15_000;
const LEAVING_MS = 15_000;
/** A provider that is silent is given up by then. */
const FIRST_BYTE_MS = 1_000;

const broken = refuse(500, {});
const silent: Script = () => undefined;
let halfAsked = 0;
const everySecond: Script = (exchange) => {
  halfAsked += 1;
  return (halfAsked % 2 === 0 ? broken : answerWell)(exchange);
};
const BAD: Readonly<Record<string, Script>> = {
  'answers 500': broken,
  resets: resetAtOnce,
  'is silent': silent,
  'fails half its calls': everySecond,
};

interface Caller {
  readonly gateway: TestGateway;
  readonly perSecond: number;
  readonly random: () => number;
}

/** Returns figures; throws at the first promise that does not hold. */
export async function breakers(perSecond: number, seed: number): Promise<string> {
  const random = seeded(seed);
  const figures: string[] = [];
  for (const [name, script] of Object.entries(BAD))
    figures.push(await withThree(perSecond, random, (caller, upstreams) => oneBad(name, script, caller, upstreams)));
  figures.push(await withThree(perSecond, random, allFailing));
  figures.push(await withThree(perSecond, random, halfLeaving));
  return figures.join('; ');
}

async function withThree(
  perSecond: number,
  random: () => number,
  run: (caller: Caller, upstreams: readonly ScriptedUpstream[]) => Promise<string>,
): Promise<string> {
  const upstreams = await Promise.all([1, 2, 3].map(() => startScriptedUpstream(answerWell)));
  const gateway = await startGateway({
    config: {
      demo: false,
      providers: upstreams.map(({ origin }, index) => scriptedProvider(`target-${index + 1}`, origin)),
      timeouts: { firstByteMs: FIRST_BYTE_MS, firstByteStreamedMs: FIRST_BYTE_MS },
    },
  });
  try {
    return await run({ gateway, perSecond, random }, upstreams);
  } finally {
    await gateway.stop();
    for (const upstream of upstreams) await upstream.close();
  }
}

async function oneBad(
  name: string,
  bad: Script,
  caller: Caller,
  upstreams: readonly ScriptedUpstream[],
): Promise<string> {
  const [first] = upstreams;
  assert.ok(first !== undefined);
  await load(caller, WARM_MS);
  first.play(bad);
  const failing = await load(caller, FAILS_MS);
  first.play(answerWell);
  const healedAt = performance.now();
  const asked = first.exchanges.length;
  const healed = load(caller, BACK_MS);
  let backAfterMs = Number.POSITIVE_INFINITY;
  for await (const _tick of ticks(100)) {
    const sinceMs = performance.now() - healedAt;
    // One probe is not its calls back.
    if (first.exchanges.length - asked > caller.perSecond) {
      backAfterMs = sinceMs;
      break;
    }
    if (sinceMs > BACK_MS) break;
  }
  const settled = failing.filter(({ atMs }) => atMs >= SETTLED_MS);
  const errors = settled.filter(isError).length / settled.length;
  const after = (await healed).filter(isError).length;
  assert.ok(errors < ERRORS_MAX, `${name}: ${percent(errors)} of calls failed after ${SETTLED_MS / 1000} s`);
  assert.ok(backAfterMs <= BACK_MS, `${name}: its calls were not back ${BACK_MS / 1000} s after it was well`);
  assert.equal(after, 0, `${name}: ${after} calls failed after it was well`);
  const all = failing.filter(isError).length;
  return `one of three ${name}: ${all} of ${failing.length} calls failed (${percent(errors)} after 5 s), back ${(backAfterMs / 1000).toFixed(1)} s after healing`;
}

async function allFailing(caller: Caller, upstreams: readonly ScriptedUpstream[]): Promise<string> {
  for (const upstream of upstreams) upstream.play(broken);
  const calls = await load(caller, ALL_FAIL_MS);
  const attempts = upstreams.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  assert.ok(calls.every(isError));
  assert.ok(attempts <= 1.2 * calls.length + 3, `${attempts} attempts for ${calls.length} calls`);
  return `all failing: ${attempts} attempts for ${calls.length} calls`;
}

async function halfLeaving(caller: Caller, upstreams: readonly ScriptedUpstream[]): Promise<string> {
  const [first] = upstreams;
  assert.ok(first !== undefined);
  // A stream that never ends by itself, so that leaving ends it.
  const endless: Script = async (exchange) => {
    if (exchange.json['stream'] !== true) return answerWell(exchange);
    await exchange.openStream();
    await exchange.chunk(': waiting\n\n');
  };
  for (const upstream of upstreams) upstream.play(endless);
  const calls = await load(caller, LEAVING_MS, 0.5);
  assert.equal(calls.filter(isError).length, 0);
  assert.equal(first.exchanges.length, calls.length, 'every call goes to the first provider, which never rests');
  const left = calls.filter(({ status }) => status === 'left').length;
  return `${left} of ${calls.length} callers left: no provider rested`;
}

interface Called {
  /** Since the load began. */
  readonly atMs: number;
  readonly status: number | 'left';
}

/** Calls at a steady rate, however long answers take; `leaving` is the share of callers that leave a stream. */
async function load({ gateway, perSecond, random }: Caller, forMs: number, leaving = 0): Promise<readonly Called[]> {
  const startedAt = performance.now();
  const running: Promise<Called>[] = [];
  for await (const _tick of ticks(20)) {
    const atMs = performance.now() - startedAt;
    while (running.length < (Math.min(atMs, forMs) / 1000) * perSecond)
      running.push(call(gateway, atMs, random() < leaving));
    if (atMs >= forMs) break;
  }
  return Promise.all(running);
}

async function call(gateway: TestGateway, atMs: number, leaves: boolean): Promise<Called> {
  const leaving = new AbortController();
  const response = await gateway.fetch(PATHS['openai-chat'], {
    method: 'POST',
    body: JSON.stringify(chatBody(leaves)),
    headers: { 'content-type': 'application/json' },
    signal: leaving.signal,
  });
  if (leaves && response.ok) {
    leaving.abort();
    return { atMs, status: 'left' };
  }
  await response.arrayBuffer();
  return { atMs, status: response.status };
}

function isError({ status }: Called): boolean {
  return status !== 'left' && status !== 200;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
