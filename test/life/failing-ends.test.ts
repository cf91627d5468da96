/**
 * Goal: whatever throws at the end of a call, its caller gets an error or a broken connection, no hold and no slot stays taken, and it is
 * logged. Method: real calls; while the provider has the request, a part of the call or of the gateway is made to throw.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Call } from '../../src/gateway/call.ts';
import { chatBody, OPEN_MODEL, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const broken = () => {
  throw new TypeError('hunter2');
};

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());
afterEach(() => bench.upstream.play(answerWell));

/** What throws, by name. */
const FAULTS: Readonly<Record<string, (call: Call) => void>> = {
  'the usage': (call) => void Object.assign(call.meter as object, { usage: broken }),
  'the ids of what is stored': (call) => {
    call.providers = { get: broken } as never;
  },
  'the answer that is kept for retries': (call) => void Object.assign(call.replay ?? {}, { rowFor: broken }),
};

function sabotage(fault: (call: Call) => void, script = answerWell): void {
  bench.upstream.play((exchange) => {
    fault(bench.calls.at(-1) as Call);
    return script(exchange);
  });
}

async function assertNothingStays(from: number): Promise<void> {
  while (bench.app.gateway.running.count > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(bench.app.gateway.running.count, 0);
  const lines = bench.log.slice(from).join('');
  assert.match(lines, /a call could not be settled|"msg":"failed"/);
  assert.doesNotMatch(lines, /hunter2/);
}

for (const [what, fault] of Object.entries(FAULTS))
  for (const streamed of [false, true])
    test(`${what} cannot be computed: ${streamed ? 'a stream ends with an error' : 'a 5xx'}, and the hold is released`, async () => {
      const from = bench.log.length;
      const isOfRetries = what.includes('retries');
      sabotage(fault);
      const headers: Record<string, string> = isOfRetries ? { 'idempotency-key': `retries-${streamed}` } : {};
      const response = await bench.post(PATHS['openai-chat'], chatBody(streamed), headers);
      const text = await response.text().catch(() => 'cut off');
      if (response.status === 200) assert.match(text, /ledger_unavailable|internal_error|cut off/);
      else assert.ok(response.status >= 500, `${response.status}`);
      await assertNothingStays(from);
      const [call] = bench.calls.slice(-1);
      assert.ok(call?.hold !== null && call?.hold !== undefined);
      assert.equal((call.hold as unknown as { isFinished: boolean }).isFinished, true, 'the hold is over');
      const record = bench.records.find(({ callId }) => callId === call.id);
      assert.deepEqual(
        [record?.ending, record?.charge, record?.usageSource, record?.status],
        ['gateway_failed', 0n, 'none', response.status],
        'what was settled has its record',
      );
      // The next call is served as usual.
      bench.upstream.play(answerWell);
      assert.equal((await bench.post(PATHS['openai-chat'], chatBody(false))).status, 200);
    });

for (const [what, script, fault] of [
  [
    'the head of an answer',
    answerWell,
    (call: Call) =>
      Object.defineProperty(call, 'answered', {
        get: () => false,
        set: (isAnswered: boolean) => (isAnswered ? broken() : undefined),
      }),
  ],
  ['a refusal', refuse(503, {}), (call: Call) => Object.assign(call.echo ?? {}, { isIn: broken })],
] as const)
  test(`${what} cannot be processed: the caller gets 500, and the provider is not to blame`, async () => {
    const from = bench.log.length;
    const before = providerHealth();
    sabotage(fault, script);
    for (const streamed of [false, true]) {
      const asked = bench.upstream.exchanges.length;
      const response = await bench.post(PATHS['openai-chat'], chatBody(streamed));
      assert.equal(response.status, 500);
      assert.match(await response.text(), /internal_error/);
      await assertNothingStays(from);
      const [record] = bench.records.slice(-1);
      assert.deepEqual([record?.ending, record?.charge, record?.status], ['gateway_failed', 0n, 500]);
      assert.deepEqual(
        record?.attempts.map(({ error }) => error),
        ['internal_error'],
      );
      assert.equal(bench.upstream.exchanges.length, asked + 1, 'no other attempt is made');
    }
    assert.deepEqual(providerHealth(), before);
  });

test('a failed call whose settlement throws gets a 5xx', async () => {
  const from = bench.log.length;
  sabotage(FAULTS['the usage'] as (call: Call) => void, refuse(500, {}));
  const response = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.ok(response.status >= 500);
  await response.text();
  await assertNothingStays(from);
});

test('an error that cannot be written becomes a plain 500', async () => {
  const from = bench.log.length;
  sabotage(
    (call) => {
      let times = 0;
      const countSent = call.countSent.bind(call);
      call.countSent = (body) => {
        times += 1;
        if (times === 1) broken();
        countSent(body);
      };
    },
    refuse(500, {}),
  );
  const response = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.equal(response.status, 500);
  assert.match(await response.text(), /internal_error/);
  await assertNothingStays(from);
});

test('a record that cannot be written costs no caller its answer, and leaves no slot taken', async () => {
  const { records } = bench.app.gateway;
  const append = records.append;
  records.append = broken;
  const from = bench.log.length;
  try {
    const response = await bench.post(PATHS['openai-chat'], chatBody(false));
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Hi you/);
    await assertNothingStays(from);
    assert.match(bench.log.slice(from).join(''), /"status":200/, 'the line of the call is written');
  } finally {
    records.append = append;
  }
});

/** Failures that are the provider's, and whether it rests. */
function providerHealth() {
  const { health, breakers, providers } = bench.app.gateway;
  const provider = providers.get('scripted') ?? assert.fail('no provider');
  const { recent, failedInARow } = health.of(provider) ?? assert.fail('not watched');
  return { failed: recent.failed, failedInARow, readiness: breakers.readiness(provider, OPEN_MODEL) };
}
