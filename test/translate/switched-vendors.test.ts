/**
 * Goal: a conversation in a tool loop goes on when its caller changes the model from one vendor's to another's, and back, in every format:
 * no vendor gets another one's signed or encrypted thoughts, and each gets its own. Method: plain clients of each format, which send back what
 * they got, against strict providers that refuse any thought that they did not make.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CallerDialectName } from '../../src/dialects/index.ts';
import { callerNames } from '../golden/fixtures.ts';
import { loopClients } from '../golden/loop-clients.ts';
import type { JsonObject } from '../support/strict-server.ts';
import {
  BEDROCK_CLAUDE,
  CLAUDE_BUDGET,
  GEMINI,
  GPT_NEW,
  openTranslateBench,
  RESPONSES,
  RESPONSES_NEW,
  RESPONSES_OTHER,
  type TranslateBench,
} from '../support/translate-bench.ts';

/**
 * Of each provider format, and of each vendor that encrypts thoughts in a format that others speak too. OpenRouter is left out: it chooses
 * itself which thoughts it passes on.
 */
const MODELS = [CLAUDE_BUDGET, BEDROCK_CLAUDE, GEMINI, GPT_NEW, RESPONSES, RESPONSES_NEW, RESPONSES_OTHER] as const;

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const PATHS: Readonly<Record<CallerDialectName, (model: string, streamed: boolean) => string>> = {
  'openai-chat': () => '/api/v1/chat/completions',
  'anthropic-messages': () => '/v1/messages',
  'openai-responses': () => '/v1/responses',
  gemini: (model, streamed) =>
    `/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
};

async function ask(
  from: CallerDialectName,
  model: string,
  request: JsonObject,
  streamed: boolean,
  turn = 0,
): Promise<Buffer> {
  const { model: _, ...fields } = request;
  const body = from === 'gemini' ? fields : { ...fields, model, stream: streamed };
  const answered = await bench.post(PATHS[from](model, streamed), body);
  const bytes = Buffer.from(await answered.arrayBuffer());
  assert.equal(answered.status, 200, `from ${from}, turn ${turn}, ${model}: ${bytes.toString()}`);
  assert.ok(
    !/"?type"?: ?"error"|event: error/.test(bytes.toString()),
    `from ${from}, turn ${turn}, ${model}: ${bytes.toString()}`,
  );
  return bytes;
}

// Each pair is streamed for half of the callers and whole for the others, which costs half as much as both for all.
for (const [at, from] of callerNames.entries())
  describe(from, () => {
    for (const [turn, first] of MODELS.entries())
      for (const [next, second] of MODELS.entries()) {
        const streamed = (at + turn + next) % 2 === 0;
        test(`from ${first} to ${second} and back, ${streamed ? 'streamed' : 'whole'}`, async () => {
          await converse(from, [first, second, first], streamed);
        });
      }
  });

/** A loop with a call in each turn but the last, each turn with another model. */
async function converse(from: CallerDialectName, models: readonly string[], streamed: boolean): Promise<void> {
  const client = loopClients[from]?.(`think then loop ${models.length - 1} tide`);
  assert.ok(client !== undefined);
  let request = client.first();
  let bytes: Buffer = Buffer.alloc(0);
  for (const [turn, model] of models.entries()) {
    // The last answer is whole, so that its text is in one piece.
    const isLast = turn === models.length - 1;
    bytes = await ask(from, model, request as JsonObject, streamed && !isLast, turn);
    if (isLast) break;
    if (streamed) client.takeStream(bytes);
    else client.takeWhole(JSON.parse(bytes.toString()));
    request = client.request(`got ${turn + 1}`).request;
  }
  // The last answer repeats all results.
  const said = bytes.toString().replace(/[^a-z0-9]+/g, ' ');
  for (let turn = 1; turn < models.length; turn += 1) assert.match(said, new RegExp(`got ${turn}`));
}
