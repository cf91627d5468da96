/**
 * Goal: an answer that is odd but complete reaches its caller and is charged once; one that is not an answer is an error and costs nothing.
 * Method: U9–U20 of the fault table against the fault backend, in every lane.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { FAULT_WORDS } from '../../support/fault-answers.ts';
import { asked, startFaultBackend } from '../../support/fault-backend.ts';
import { type FaultBench, OUTPUT_CAP, openFaultBench, type Suffered } from '../../support/fault-bench.ts';
import { CONTENT_REASONS, FAULTS, FORGED, faultScript, LENGTH_REASONS } from '../../support/fault-scripts.ts';
import { headerOf } from '../../support/http-reader.ts';
import { laneAnswers, REPORTED_PROMPT } from '../../support/lane-answers.ts';
import { ALL_LANES, type AnyLane, countedPrompt, laneProviders, laneRequest } from '../../support/ledger-bench.ts';
import type { LedgerOutcome } from '../../support/ledger-outcome.ts';
import { forgetPeak, peakBytes, residentBytes } from '../../support/process-memory.ts';
import type { Exchange } from '../../support/scripted-upstream.ts';
import { startServer } from '../../support/serve-process.ts';
import { faultRow, type RowNotes } from './fault-row.ts';

const FILE = import.meta.filename;
const MIB = 1024 * 1024;
/** The most that the gateway reads of one event. */
const EVENT_BYTES_MAX = MIB;
/** What every good answer of the backend costs, at $1 and $5 a million. */
const COST = price(REPORTED_PROMPT, FAULT_WORDS.length);

let bench: FaultBench;
before(async () => {
  bench = await openFaultBench({ file: { limits: { answerBytesMax: 2 * MIB } } });
});
after(() => bench.close());

function price(prompt: number, output: number): bigint {
  return BigInt(prompt) * 1_000n + BigInt(output) * 5_000n;
}

type Way = 'whole' | 'streamed';
const BOTH: readonly Way[] = ['whole', 'streamed'];

/** In every lane; each call must have this code, or be good if it is null, and this outcome. */
async function inEveryLane(
  row: RowNotes,
  fault: string,
  expected: { readonly code: string | null; readonly ledger: LedgerOutcome; readonly ways?: readonly Way[] },
  look: (suffered: Suffered, lane: AnyLane) => void = () => undefined,
): Promise<void> {
  bench.play(fault);
  for (const lane of ALL_LANES)
    for (const way of expected.ways ?? BOTH) {
      const suffered = await bench.suffer(lane, way === 'streamed');
      const named = `${fault}, ${lane.name}, ${way}: ${suffered.response.status} ${suffered.text.slice(0, 500)}`;
      assert.equal(suffered.code, expected.code, named);
      assert.equal(suffered.ledger, expected.ledger, named);
      if (expected.ledger === 'LP' || expected.ledger === 'LE') assert.ok(suffered.isWhole, named);
      look(suffered, lane);
      row.suffered(suffered);
    }
}

const FAILED = { code: 'bad_gateway', ledger: 'LV' } as const;
const PAID = { code: null, ledger: 'LP' } as const;
const COUNTED = { code: null, ledger: 'LE' } as const;

/** The words of an answer, in any format, in order. */
function wordsOf(text: string): string {
  return [...text.matchAll(/ (one|two|three|four)\b/g)].map(([, word]) => word).join(' ');
}

faultRow('U9', FILE, async (row) => {
  for (const lane of ALL_LANES) {
    bench.play(`error-event@${laneAnswers[lane.upstream].lead + 1}`);
    const suffered = await bench.suffer(lane, true);
    assert.equal(suffered.isWhole, false, lane.name);
    assert.equal(suffered.ledger, 'LV');
    assert.match(suffered.text, /failed|[Oo]verloaded/, 'the provider’s words');
    row.suffered(suffered);
  }
});

faultRow('U10', FILE, async (row) => {
  for (const fault of ['html', 'other-json', 'no-body'])
    await inEveryLane(row, fault, FAILED, ({ text }) => assert.doesNotMatch(text, /It works|"ok"/));
  await inEveryLane(row, 'error-body', { ...FAILED, ways: ['whole'] });
});

faultRow('U11', FILE, async (row) => {
  const faults = Object.keys(FAULTS).filter((name) => name.startsWith('sse-'));
  for (const fault of [...faults, 'pieces@1', 'pieces@7', 'pieces@100'])
    await inEveryLane(row, fault, { ...PAID, ways: ['streamed'] }, ({ text, settled }, { name }) => {
      assert.ok(wordsOf(text).startsWith('one two three four'), `${fault}, ${name}: ${wordsOf(text)}`);
      assert.equal(settled?.charge, COST);
    });
});

faultRow('U12', FILE, async (row) => {
  for (const fault of ['endless-event@8', 'endless-lines@8'])
    await inEveryLane(row, fault, { ...FAILED, ways: ['streamed'] }, () => {
      // What the kernel's buffers hold was sent as well.
      const sent = bench.upstream.exchanges.at(-1)?.socket.bytesWritten ?? 0;
      assert.ok(sent < 8 * MIB, `${sent} bytes were taken`);
    });
  const { calls, grownBytes } = await memoryOfEndlessEvents(row);
  // Each provider sends 64 MiB; what is let go counts until it is collected.
  assert.ok(grownBytes <= calls * 8 * EVENT_BYTES_MAX, `${calls} calls took ${Math.round(grownBytes / MIB)} MiB`);
});

/** What a process of its own takes in memory while providers send events without end, several in every lane at once. */
async function memoryOfEndlessEvents(row: RowNotes): Promise<{ readonly calls: number; readonly grownBytes: number }> {
  const backend = row.owns(await startFaultBackend());
  backend.play((exchange) => {
    const fault = backend.exchanges.length % 2 === 0 ? 'endless-event@64' : 'endless-lines@64';
    return faultScript(fault, asked(exchange).format, true)(exchange);
  });
  const server = await startServer({ providers: laneProviders(backend.origin) });
  row.owns({ close: () => server.remove() });
  const pid = server.process.pid ?? 0;
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
  const call = async ({ dialect, model }: AnyLane) => {
    const { path, body } = laneRequest(dialect, model, true, OUTPUT_CAP);
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.match(await response.text(), /bad_gateway/);
  };
  const lanes = [...ALL_LANES, ...ALL_LANES];
  // The first calls also load the code that they run.
  for (const lane of ALL_LANES) await call(lane);
  const before = residentBytes(pid);
  forgetPeak(pid);
  await Promise.all(lanes.map(call));
  return { calls: lanes.length, grownBytes: peakBytes(pid) - before };
}

faultRow('U13', FILE, async (row) => {
  for (const fault of ['large-body@3', 'endless-body@16'])
    await inEveryLane(row, fault, { ...FAILED, ways: ['whole'] }, () => {
      const sent = bench.upstream.exchanges.at(-1)?.socket.bytesWritten ?? 0;
      assert.ok(sent < 12 * MIB, `${sent} bytes were taken`);
    });
});

faultRow('U14', FILE, (row) =>
  inEveryLane(row, 'usage-absent', COUNTED, ({ settled, streamed }, lane) => {
    const output = settled?.outputTokens ?? 0;
    assert.equal(settled?.inputTokens, countedPrompt(lane), lane.name);
    assert.equal(output, FAULT_WORDS.length, `${lane.name}, ${streamed ? 'streamed' : 'whole'}`);
  }),
);

faultRow('U15', FILE, async (row) => {
  for (const fault of ['usage-null', 'usage-negative', 'usage-text', 'usage-huge', 'usage-overflow'])
    await inEveryLane(row, fault, COUNTED, ({ settled }) => assert.ok((settled?.charge ?? 0n) < 1_000_000n));
  const before = await alerts('usage_invalid');
  assert.ok(before > 0, 'the operator is alerted');
  // NaN and Infinity are no JSON: a caller could not read such an answer either.
  for (const fault of ['usage-nan', 'usage-infinity'])
    await inEveryLane(row, fault, FAILED, ({ settled }) => assert.equal(settled?.charge, 0n));
  // A number that may be true, and is more than the call was allowed: the caller pays what was held.
  await inEveryLane(row, 'usage-above-cap', PAID, ({ settled }) => {
    assert.equal(settled?.charge, settled?.hold);
    assert.ok((settled?.variance ?? 0n) > 0n);
  });
});

async function alerts(kind: string): Promise<number> {
  const metrics = await bench.app.gateway.metrics.text();
  return Number(new RegExp(`turnpike_alerts_total\\{kind="${kind}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
}

faultRow('U16', FILE, (row) =>
  inEveryLane(row, 'usage-twice', PAID, ({ settled }) => assert.equal(settled?.charge, COST)),
);

faultRow('U17', FILE, async (row) => {
  for (const [fault, reasons] of [
    ['reason-length', LENGTH_REASONS],
    ['reason-content', CONTENT_REASONS],
    ['reason-unknown', null],
  ] as const)
    await inEveryLane(row, fault, PAID, ({ settled, text }, { dialect, name }) => {
      assert.equal(settled?.charge, COST);
      if (reasons !== null) assert.ok(text.includes(`"${reasons[dialect]}"`), `${fault}, ${name}: ${text}`);
    });
});

faultRow('U18', FILE, async (row) => {
  for (const fault of ['extra-garbage', 'extra-answer', 'late-answer'])
    for (let round = 0; round < 2; round += 1) {
      await inEveryLane(row, fault, { ...PAID, ways: ['whole'] }, ({ text, settled }) => {
        assert.doesNotMatch(text, new RegExp(FORGED));
        assert.equal(settled?.charge, COST);
      });
      await inEveryLane(row, 'none', PAID, ({ text }) => assert.doesNotMatch(text, new RegExp(FORGED)));
    }
});

faultRow('U19', FILE, async (row) => {
  let bad: Exchange | undefined;
  const notReused = () => {
    const last = bench.upstream.exchanges.at(-1);
    assert.notEqual(last?.socket, bad?.socket, 'the connection is not used again');
    bad = last;
  };
  for (const fault of ['length-high', 'length-low', 'length-text', 'not-http'])
    await inEveryLane(row, fault, { ...FAILED, ways: ['whole'] }, notReused);
  await inEveryLane(row, 'bad-chunk', { ...FAILED, ways: ['streamed'] }, notReused);
  await inEveryLane(row, 'length-missing', { ...PAID, ways: ['whole'] });
  await inEveryLane(row, 'trailer', PAID, ({ response, text }) => {
    assert.equal(response.headers.get('set-cookie'), null);
    assert.doesNotMatch(text, /x-trailer/);
  });
});

faultRow('U20', FILE, async (row) => {
  for (const fault of ['gzip-bomb', 'gzip-chain'])
    await inEveryLane(row, fault, FAILED, () => {
      const request = bench.upstream.exchanges.at(-1)?.request;
      assert.ok(request !== undefined && headerOf(request, 'accept-encoding') === 'identity');
    });
});

assert.ok(OUTPUT_CAP > FAULT_WORDS.length, 'good answers are below the cap');
