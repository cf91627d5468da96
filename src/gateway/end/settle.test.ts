/**
 * Goal: each ending has its usage and its charge, once. Method: calls without sockets, a meter with given values, a bank that
 * records settlements.
 */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import type { Key } from '../../accounts/keys.ts';
import type { Hold } from '../../billing/bank.ts';
import type { Model, Target } from '../../catalog/model.ts';
import { ManualClock } from '../../core/clock.ts';
import { accountId, keyId, projectId } from '../../core/ids.ts';
import { type Money, nanoUsd, picoUsd } from '../../core/money.ts';
import { feeRate, LIST_RATE, markupRate, NO_CHARGE, type Rate } from '../../core/rates/rate.ts';
import type { Ending, Settlement } from '../../core/settlement.ts';
import { NO_USAGE, type ReportedParts, type Usage } from '../../core/usage.ts';
import { relayDialects } from '../../dialects/index.ts';
import type { Meter } from '../../dialects/interface/meter.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import { NO_MEDIA } from '../../dialects/kit/media/inline-media.ts';
import { chat } from '../../operations/chat.ts';
import type { OwnCredential } from '../../routing/own-credential.ts';
import { Call } from '../call.ts';
import type { Admitted } from '../phases.ts';
import { finish, type SettlePorts, unsettle } from './settle.ts';

const TARGET = {
  provider: 'somebody',
  upstreamModel: 'm',
  dialects: [],
  prices: { input: picoUsd(1_000_000n), output: picoUsd(5_000_000n), request: null, reasoning: null, tiers: [] },
  priceVersion: null,
} as unknown as Target;

interface Outcome {
  readonly usage?: Partial<Usage> | null;
  /** Default: all if there is a usage. */
  readonly reported?: ReportedParts;
  readonly state?: Meter['state'];
  readonly invalid?: boolean;
  readonly outputBytes?: number;
  readonly sent?: boolean;
  readonly answered?: boolean;
  readonly target?: Target;
  readonly hold?: Money;
  readonly own?: OwnCredential;
  readonly rate?: Rate;
}

function admittedCall(outcome: Outcome): Admitted {
  const call = new Call(
    relayDialects['openai-chat'],
    chat,
    { headers: {} } as IncomingMessage,
    new EventEmitter() as ServerResponse,
    new ManualClock(),
  ) as Admitted;
  call.key = { id: keyId(1), projectId: projectId(1), accountId: accountId(1) } as Key;
  call.model = { id: 'vendor/model' } as Model;
  call.peek = {
    bodyBytes: 500,
    promptBytes: 430,
    media: NO_MEDIA,
    stream: true,
  } as Peek;
  call.target = outcome.target ?? TARGET;
  call.candidate = { model: call.model, target: call.target, own: outcome.own ?? null };
  call.rates = { rateOf: () => outcome.rate ?? LIST_RATE };
  call.meter = {
    state: outcome.state ?? 'open',
    usage: () => (outcome.usage === null || outcome.usage === undefined ? null : { ...NO_USAGE, ...outcome.usage }),
    reported: () => outcome.reported ?? (outcome.usage ? 'all' : 'none'),
    usageInvalid: () => outcome.invalid ?? false,
    delivered: () => ({ outputBytes: outcome.outputBytes ?? 0, outputTokens: null }),
  } as Meter;
  call.sent = outcome.sent ?? true;
  call.answered = outcome.answered ?? true;
  call.hold = {
    refused: null,
    amount: outcome.hold ?? nanoUsd(1_000_000_000n),
    recorded: outcome.hold ?? nanoUsd(1_000_000_000n),
    outputCap: null,
  };
  return call;
}

function bank(write: (settlement: Settlement) => Promise<void> = () => Promise.resolve()) {
  const settlements: Settlement[] = [];
  const alerts: string[] = [];
  const gateway = {
    bank: {
      finish(_hold: Hold, settlement: Settlement) {
        settlements.push(settlement);
        return write(settlement);
      },
    },
    metrics: { alert: (kind: string) => alerts.push(kind) },
  } as unknown as SettlePorts;
  return { gateway, settlements, alerts };
}

/** Prompt of 430 bytes: 100 tokens, 100,000 nano-USD. A token out: 5,000 nano-USD. */
const cases: [
  behaviour: string,
  ending: Ending,
  outcome: Outcome,
  source: string,
  tokens: [number, number],
  charge: bigint,
][] = [
  [
    'complete: the reported usage',
    'complete',
    { usage: { inputTokens: 7, outputTokens: 3 } },
    'reported',
    [7, 3],
    22_000n,
  ],
  [
    'complete, with only the prompt reported: the output is estimated',
    'complete',
    { usage: { inputTokens: 7, outputTokens: 1 }, reported: 'prompt', outputBytes: 40 },
    'estimated',
    [7, 10],
    57_000n,
  ],
  [
    'complete, with only the output reported: the prompt is estimated',
    'complete',
    { usage: { outputTokens: 3 }, reported: 'output', outputBytes: 40 },
    'estimated',
    [100, 3],
    115_000n,
  ],
  [
    'complete, with no output reported for an answer that has some: it is estimated',
    'complete',
    { usage: { inputTokens: 7 }, outputBytes: 40 },
    'estimated',
    [7, 10],
    57_000n,
  ],
  [
    'complete, with only an output of 0 reported: everything is estimated',
    'complete',
    { usage: {}, reported: 'output', outputBytes: 40 },
    'estimated',
    [100, 10],
    150_000n,
  ],
  [
    'caller left, with only the output reported: the prompt is estimated',
    'caller_left',
    { usage: { outputTokens: 3 }, reported: 'output', outputBytes: 40 },
    'estimated',
    [100, 10],
    150_000n,
  ],
  ['complete without a report: estimated', 'complete', { outputBytes: 40 }, 'estimated', [100, 10], 150_000n],
  ['empty: no charge, whatever it cost', 'empty', { usage: { inputTokens: 7 } }, 'reported', [7, 0], 0n],
  [
    'caller left: the prompt and what was delivered',
    'caller_left',
    { outputBytes: 9 },
    'estimated',
    [100, 3],
    115_000n,
  ],
  ['caller slow: the same', 'caller_slow', { outputBytes: 9 }, 'estimated', [100, 3], 115_000n],
  ['drained: the same', 'drained', { outputBytes: 9 }, 'estimated', [100, 3], 115_000n],
  [
    'caller left with an early report of the prompt: that, and what was delivered',
    'caller_left',
    { usage: { inputTokens: 50, outputTokens: 1 }, outputBytes: 40 },
    'estimated',
    [50, 10],
    100_000n,
  ],
  [
    'caller left before an answer: the prompt, because it was sent',
    'caller_left',
    { answered: false },
    'estimated',
    [100, 0],
    100_000n,
  ],
  [
    'caller left before anything was sent: nothing',
    'caller_left',
    { sent: false, answered: false },
    'none',
    [0, 0],
    0n,
  ],
  ['upstream failed in the middle: no charge', 'upstream_failed', { outputBytes: 40 }, 'estimated', [100, 10], 0n],
  [
    'upstream failed before an answer: nothing was consumed',
    'upstream_failed',
    { answered: false },
    'none',
    [0, 0],
    0n,
  ],
  ['upstream timeout: no charge', 'upstream_timeout', { answered: false }, 'none', [0, 0], 0n],
  ['refused upstream: no charge', 'refused_upstream', { answered: false }, 'none', [0, 0], 0n],
  ['gateway failed: no charge', 'gateway_failed', { outputBytes: 40 }, 'estimated', [100, 10], 0n],
];

describe('endings', () => {
  for (const [behaviour, ending, outcome, source, [input, output], charge] of cases) {
    test(behaviour, async () => {
      const { gateway, settlements } = bank();
      await finish(gateway, admittedCall(outcome), ending);
      const [settlement] = settlements;
      assert.equal(settlement?.ending, ending);
      assert.equal(settlement.usageSource, source);
      assert.deepEqual([settlement.usage.inputTokens, settlement.usage.outputTokens], [input, output]);
      assert.equal(settlement.charge, charge);
    });
  }
});

test('the first ending wins; later ones wait for the same settlement', async () => {
  const { gateway, settlements } = bank();
  const call = admittedCall({ usage: { inputTokens: 7, outputTokens: 3 } });
  const first = finish(gateway, call, 'complete');
  assert.equal(finish(gateway, call, 'upstream_failed'), first);
  await first;
  assert.equal(finish(gateway, call, 'caller_left'), first);
  assert.equal(settlements.length, 1);
  assert.equal(call.ending, 'complete');
});

test('a model without a price has no cost and no charge', async () => {
  const { gateway, settlements } = bank();
  const call = admittedCall({ usage: { inputTokens: 7 }, target: { ...TARGET, prices: null } });
  await finish(gateway, call, 'complete');
  assert.equal(settlements[0]?.cost, null);
  assert.equal(settlements[0]?.charge, 0n);
});

for (const [what, outcome] of [
  ['that the meter calls invalid', { invalid: true, outputBytes: 4 }],
  ['larger than any call', { usage: { outputTokens: 2 ** 50 }, outputBytes: 4 }],
] as const) {
  test(`a usage ${what} is replaced by an estimate, and raises an alert`, async () => {
    const { gateway, settlements, alerts } = bank();
    await finish(gateway, admittedCall(outcome), 'complete');
    assert.equal(settlements[0]?.usageSource, 'estimated');
    assert.equal(settlements[0]?.charge, 105_000n);
    assert.deepEqual(alerts, ['usage_invalid']);
  });
}

test('a settlement that the disk refused is not reported as charged', async () => {
  const { gateway, alerts } = bank(() => Promise.reject(new Error('EIO')));
  const call = admittedCall({ outputBytes: 4 });
  const cause: unknown = await finish(gateway, call, 'complete').catch((error: unknown) => error);
  assert.match(String(cause), /EIO/);
  unsettle(gateway, call, cause);
  assert.equal(call.settlement, null);
  assert.equal(call.ending, 'gateway_failed');
  assert.deepEqual(alerts, ['settle_failed']);
});

test('the operator absorbs what a call cost beyond its hold, and an alert is raised', async () => {
  const { gateway, settlements, alerts } = bank();
  const call = admittedCall({ usage: { inputTokens: 100, outputTokens: 100 }, hold: nanoUsd(400_000n) });
  await finish(gateway, call, 'complete');
  const { cost, charge, fault, variance } = settlements[0] as Settlement;
  assert.deepEqual([cost, charge, fault, variance], [600_000n, 400_000n, 0n, 200_000n]);
  assert.deepEqual(alerts, ['cost_above_hold']);
});

const OWN = { id: 'own', provider: 'somebody', scope: 'account' } as unknown as OwnCredential;

for (const [what, outcome, ending, expected] of [
  ['a markup', { rate: markupRate(10) }, 'complete', [600_000n, 660_000n, 0n, 0n]],
  [
    'a markup, above the hold',
    { rate: markupRate(10), hold: nanoUsd(650_000n) },
    'complete',
    [600_000n, 650_000n, 0n, 10_000n],
  ],
  ['a markup, and a provider that failed', { rate: markupRate(10) }, 'upstream_failed', [600_000n, 0n, 600_000n, 0n]],
  ['an own credential without a fee', { own: OWN, rate: NO_CHARGE }, 'complete', [600_000n, 0n, 0n, 0n]],
  ['an own credential with a fee', { own: OWN, rate: feeRate(5) }, 'complete', [600_000n, 30_000n, 0n, 0n]],
  [
    'an own credential, and a provider that failed',
    { own: OWN, rate: feeRate(5) },
    'upstream_failed',
    [600_000n, 0n, 0n, 0n],
  ],
] as const)
  test(`${what}: the cost stays the list price, and the shares follow from it`, async () => {
    const { gateway, settlements } = bank();
    const usage = { inputTokens: 100, outputTokens: 100 };
    await finish(gateway, admittedCall({ usage, state: 'finished', ...outcome }), ending);
    const { cost, charge, fault, variance, rate, ownCredential } = settlements[0] as Settlement;
    assert.deepEqual([cost, charge, fault, variance], expected);
    assert.deepEqual([rate, ownCredential], [outcome.rate, 'own' in outcome]);
  });

test('the operator absorbs what a failed provider consumed', async () => {
  const { gateway, settlements } = bank();
  await finish(gateway, admittedCall({ usage: { inputTokens: 100 }, outputBytes: 40 }), 'upstream_failed');
  const { cost, charge, fault } = settlements[0] as Settlement;
  assert.equal(charge, 0n);
  assert.equal(fault, cost);
  assert.ok(fault > 0n);
});

test('the report of a complete answer that could not be delivered counts as reported', async () => {
  const sourceOf = async (state: Meter['state'], ending: Ending) => {
    const { gateway, settlements } = bank();
    await finish(
      gateway,
      admittedCall({ state, usage: { inputTokens: 7, outputTokens: 3 }, outputBytes: 400 }),
      ending,
    );
    const { usage, usageSource, charge } = settlements[0] as Settlement;
    return [usageSource, usage.outputTokens === 3, charge === 0n];
  };
  assert.deepEqual(await sourceOf('finished', 'upstream_failed'), ['reported', true, true]);
  assert.deepEqual(await sourceOf('open', 'upstream_failed'), ['estimated', false, true]);
  assert.deepEqual(await sourceOf('finished', 'caller_left'), ['estimated', false, false]);
});

test('a usage of zeros for an answer with output counts as no report', async () => {
  const { gateway, settlements } = bank();
  await finish(gateway, admittedCall({ usage: {}, outputBytes: 4 }), 'complete');
  assert.equal(settlements[0]?.usageSource, 'estimated');
  assert.equal(settlements[0]?.charge, 105_000n);
});
