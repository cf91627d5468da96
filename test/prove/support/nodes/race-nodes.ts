/**
 * A balance for exactly 100 calls, and a thousand requests at once over four nodes: a hundred are sent to the provider, the rest are refused
 * with 402, and the money is right to the nano when all is over.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'undici';
import { formatUsd, nanoUsd } from '../../../../src/core/money.ts';
import { control } from '../../../support/control.ts';
import { type Exchange, startScriptedUpstream } from '../../../support/scripted-upstream.ts';
import { until } from '../../../support/turns.ts';
import { between, seeded } from '../seeded.ts';
import { Cluster } from './cluster.ts';

const NODES = 4;
const REQUESTS = 1_000;
const ADMITTED = 100;
const OUTPUT_CAP = 50;
const PROMPT_BYTES = 200;
/** Nano-USD a token. */
const INPUT_NANO = 1_000n;
const OUTPUT_NANO = 5_000n;
/** What a hold adds to the bytes of a prompt without tools: see the billing guide. */
const OVERHEAD_TOKENS = 64;
const HOLD = BigInt(PROMPT_BYTES + OVERHEAD_TOKENS) * INPUT_NANO + BigInt(OUTPUT_CAP) * OUTPUT_NANO;
const MODEL = 'scripted/model';

/** Returns figures; throws at the first violation. */
export async function raceNodes(rounds: number, seed: number): Promise<string> {
  const random = seeded(seed);
  const waiting: Exchange[] = [];
  const upstream = await startScriptedUpstream(async (exchange) => void waiting.push(exchange));
  const cluster = await Cluster.start({
    nodes: NODES,
    file: {
      demo: false,
      billing: { firstRunCredit: '0' },
      limits: { badKeysBurst: REQUESTS },
      providers: [
        {
          name: 'scripted',
          kind: 'custom',
          origin: upstream.origin,
          credential: 'a-credential',
          dialects: ['openai-chat'],
          models: [{ id: MODEL, upstream: 'model-1', prices: { input: 1, output: 5 } }],
        },
      ],
    },
  });
  const agent = new Agent({ connections: REQUESTS, pipelining: 1 });
  let decidedMs = 0;
  let slowestMs = 0;
  let balance = 0n;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const whole = HOLD * BigInt(ADMITTED) + BigInt(between(random, 0, Number(HOLD) - 1));
      await post(cluster, whole - balance, round);
      waiting.length = 0;
      const startedAt = performance.now();
      const refused: number[] = [];
      const answers = Array.from({ length: REQUESTS }, (_, index) =>
        ask(agent, cluster, index).then((answer) => {
          if (answer.status !== 200) refused.push(answer.status);
          return answer;
        }),
      );
      await until('all requests to be decided', () => refused.length + waiting.length >= REQUESTS);
      const took = performance.now() - startedAt;
      decidedMs += took;
      slowestMs = Math.max(slowestMs, took);
      assert.equal(waiting.length, ADMITTED, `requests that reached the provider in round ${round}`);
      let expected = 0n;
      for (const exchange of waiting) {
        const usage = { prompt: between(random, 1, PROMPT_BYTES), completion: between(random, 1, OUTPUT_CAP) };
        expected += BigInt(usage.prompt) * INPUT_NANO + BigInt(usage.completion) * OUTPUT_NANO;
        void exchange.whole(200, JSON.stringify(completion(usage)));
      }
      const seen = await Promise.all(answers);
      assert.equal(seen.filter(({ status }) => status === 200).length, ADMITTED);
      for (const { status, code } of seen)
        if (status !== 200) assert.deepEqual([status, code], [402, 'balance_reserved'], `refusals of round ${round}`);
      balance = whole - expected;
      const totals = await cluster.inLedger((ledger) => ledger.check());
      assert.deepEqual([totals.free + totals.lent, totals.settlements], [balance, round * ADMITTED]);
    }
    for (const node of cluster.nodes) assert.equal(await node.stop(), 0);
    const totals = await cluster.inLedger((ledger) => ledger.check());
    assert.deepEqual([totals.free, totals.lent], [balance, 0n], 'nothing is lent once all nodes have ended');
  } finally {
    await agent.close();
    await cluster.close();
    await upstream.close();
  }
  return (
    `${rounds} races of ${REQUESTS} requests over ${NODES} nodes for ${ADMITTED} holds: ${ADMITTED} admitted in each, 0 nano-USD off, ` +
    `decided in ${(decidedMs / rounds).toFixed(0)} ms, at most ${slowestMs.toFixed(0)}`
  );
}

async function post(cluster: Cluster, amount: bigint, round: number): Promise<void> {
  const [node] = cluster.nodes;
  if (amount === 0n || node === undefined) return;
  const { status, body } = await control(
    node.installation.dataFolder,
    'POST',
    '/control/api/balance/entries?account=1',
    {
      kind: 'adjustment',
      amount: formatUsd(nanoUsd(amount)),
      reference: `race ${round}`,
    },
  );
  assert.ok(status < 300, JSON.stringify(body));
}

interface Answer {
  readonly status: number;
  readonly code: string | null;
}

async function ask(agent: Agent, cluster: Cluster, index: number): Promise<Answer> {
  const node = cluster.nodes[index % NODES];
  assert.ok(node !== undefined);
  const { statusCode, body } = await request(`${node.url}/api/v1/chat/completions`, {
    dispatcher: agent,
    method: 'POST',
    headers: { authorization: `Bearer ${cluster.key}`, 'content-type': 'application/json' },
    body: BODY,
    headersTimeout: 180_000,
    bodyTimeout: 180_000,
  });
  const answer = (await body.json()) as { readonly error?: { readonly code?: string } };
  return { status: statusCode, code: answer.error?.code ?? null };
}

const BODY = bodyOf(PROMPT_BYTES);

/** Every request has as many bytes, so that each takes the same hold. */
function bodyOf(bytes: number): string {
  const bodyWith = (content: string) =>
    JSON.stringify({ model: MODEL, max_tokens: OUTPUT_CAP, messages: [{ role: 'user', content }] });
  return bodyWith('x'.repeat(bytes - bodyWith('').length));
}

function completion({ prompt, completion: words }: { readonly prompt: number; readonly completion: number }): object {
  return {
    id: 'chatcmpl-race',
    object: 'chat.completion',
    created: 1,
    model: 'model-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: prompt, completion_tokens: words, total_tokens: prompt + words },
  };
}
