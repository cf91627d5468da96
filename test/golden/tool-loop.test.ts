/**
 * Goal: what a model thought, and what it called, comes back to it unchanged over two turns of a tool loop, whoever calls. Method: a
 * provider's answer is written for each caller, whole and streamed; a client of that format sends it back with a result, twice; and the
 * provider's request is searched for the opaque values and the ids.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReasoningBlock } from '../../src/chat/request.ts';
import type { AnswerBlock, ChatResponse } from '../../src/chat/response.ts';
import { NO_USAGE } from '../../src/core/usage.ts';
import type { CallerDialectName, ProviderDialectName } from '../../src/dialects/index.ts';
import { callerNames, neutralRequests, providerNames } from './fixtures.ts';
import { loopClients } from './loop-clients.ts';
import { eventsOf } from './neutral-events.ts';
import { targetsOf } from './targets.ts';
import { readFixture, writeNeutral, writeStream, writeWhole } from './translate.ts';

/** The thoughts of each vendor, before a call, as its format's reader has them; the first format is the one that takes them back. */
const THOUGHTS: readonly (readonly [to: string, blocks: (turn: number) => readonly ReasoningBlock[]])[] = [
  ['anthropic-messages', claude],
  ['bedrock-converse', claude],
  ['openai-responses', openai],
  ['gemini', gemini],
  ['openai-chat', claude],
  ['openai-chat', openai],
  ['openai-chat', gemini],
];

const THOUGHT = { type: 'reasoning', text: '', signature: null, encrypted: null } as const;

function claude(turn: number): readonly ReasoningBlock[] {
  const origin = 'anthropic-claude-v1';
  return [
    { ...THOUGHT, origin, text: `Thought ${turn}.`, signature: `c2lnbmVk${turn}AA=` },
    { ...THOUGHT, origin, encrypted: `aGlkZGVu${turn}AA=` },
  ];
}

function openai(turn: number): readonly ReasoningBlock[] {
  const of = { ...THOUGHT, origin: 'openai-responses-v1', id: `rs_${turn}` };
  return [
    { ...of, text: `Summary ${turn}.`, summary: true },
    { ...of, encrypted: `c2VhbGVk${turn}AA=` },
  ];
}

function gemini(turn: number): readonly ReasoningBlock[] {
  const of = { ...THOUGHT, origin: 'google-gemini-v1' };
  return [
    { ...of, text: `Thought ${turn}.` },
    { ...of, encrypted: `Z2VtaW5p${turn}AA=` },
  ];
}

test('trap 19: a call of Gemini that lost its signature has the one that stands for none', () => {
  const lost = neutralRequests().find(({ name }) => name === 'call-with-lost-signature');
  assert.ok(lost !== undefined);
  const [, newest] = targetsOf('gemini');
  assert.ok(newest !== undefined);
  const written = writeNeutral(lost.request, 'gemini', newest.target);
  assert.ok(written.type === 'written');
  assert.match(
    JSON.stringify(written.body),
    /"functionCall":[^\]]*"thoughtSignature":"skip_thought_signature_validator"/,
  );
  assert.equal(written.warnings.length, 1);
});

test('every provider’s thoughts are tried', () => {
  assert.deepEqual(
    providerNames.filter((name) => THOUGHTS.every(([to]) => to !== name)),
    [],
  );
  assert.deepEqual(
    callerNames.filter((name) => loopClients[name] === undefined),
    [],
    'test/golden/loop-clients.ts has a client for each format',
  );
});

for (const from of callerNames) {
  describe(from, () => {
    for (const [to, thoughts] of THOUGHTS) {
      if (!isProvider(to) || String(from) === to) continue;
      for (const way of ['whole', 'streamed'] as const) {
        test(`traps 17 and 18: ${thoughts.name}'s thoughts go back to a provider of ${to} over two turns, ${way}`, () => {
          twoTurns(from, to, thoughts, way);
        });
      }
    }
  });
}

function twoTurns(
  from: CallerDialectName,
  to: ProviderDialectName,
  thoughts: (turn: number) => readonly ReasoningBlock[],
  way: 'whole' | 'streamed',
): void {
  const client = loopClients[from]?.();
  assert.ok(client !== undefined);
  for (const turn of [1, 2]) {
    const response = answerOf(turn, thoughts(turn));
    if (way === 'whole') client.takeWhole(JSON.parse(writeWhole(from, response).bytes.toString()));
    else client.takeStream(writeStream(from, eventsOf(response)).bytes);
    const read = readFixture({ from, name: 'loop', about: 'a loop', ...client.request(`result ${turn}`) });
    assert.ok(read.type === 'read', JSON.stringify(read));
    const [open] = targetsOf(to);
    assert.ok(open !== undefined);
    const written = writeNeutral(read.request, to, open.target);
    assert.ok(written.type === 'written', JSON.stringify(written));
    assert.deepEqual(
      written.warnings.filter((warning) => /reasoning|thoughts?\b|result/.test(warning)),
      [],
    );
    assertInPlace(JSON.stringify(written.body), turn, thoughts);
  }
}

/** Each turn's thoughts and call stand after the result of the turn before, and before their own. */
function assertInPlace(body: string, turns: number, thoughts: (turn: number) => readonly ReasoningBlock[]): void {
  let before = -1;
  for (let turn = 1; turn <= turns; turn += 1) {
    const after = body.indexOf(`result ${turn}`);
    for (const value of valuesOf(answerOf(turn, thoughts(turn)).blocks, turn)) {
      // Bedrock's hidden thoughts are bytes: the same text in base 64 once more.
      const encoded = Buffer.from(value).toString('base64');
      const at = body.indexOf(body.includes(value) ? value : encoded);
      assert.ok(at > before && at < after, `${value} is not in its place: ${body}`);
    }
    before = after;
  }
}

function answerOf(turn: number, thoughts: readonly ReasoningBlock[]): ChatResponse {
  const call = {
    type: 'tool_call',
    id: `call_${turn}`,
    name: 'tide',
    input: { port: `Port ${turn}` },
    cache: null,
  } as const;
  return {
    id: `answer-${turn}`,
    blocks: [...thoughts, call],
    finish: { reason: 'tool_calls', native: null, stopSequence: null, explanation: null },
    usage: { ...NO_USAGE, inputTokens: 9, outputTokens: 9 },
    warnings: [],
  };
}

function valuesOf(blocks: readonly AnswerBlock[], turn: number): readonly string[] {
  const opaque = blocks.flatMap((block) => {
    if (block.type !== 'reasoning') return [];
    return [block.signature ?? block.encrypted ?? ''];
  });
  return [...opaque.filter((value) => value !== ''), `Port ${turn}`];
}

function isProvider(name: string): name is ProviderDialectName {
  return providerNames.some((each) => each === name);
}
