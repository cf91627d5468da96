/**
 * Goal: every client of Google's format sees an error inside a stream as that error: those that look for it in an event, and those that parse
 * each chunk that arrives, as older versions of `@google/genai` do, Gemini CLI's among them. Method: streams that break off, in both lanes,
 * read chunk by chunk as such a client reads them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { data, openaiFrames } from '../support/upstream-scripts.ts';

const HALF = { candidates: [{ content: { role: 'model', parts: [{ text: 'Half' }] }, index: 0 }] };
const OVERLOADED = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } };

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
let breakOff: (exchange: Exchange) => void | Promise<void> = () => undefined;
before(async () => {
  upstream = await startScriptedUpstream(async (exchange) => {
    const isGoogle = exchange.request.startLine.includes('streamGenerateContent');
    await exchange.openStream();
    await exchange.chunk(isGoogle ? data(HALF) : openaiFrames(['Half']).slice(0, 2).join(''));
    await breakOff(exchange);
  });
  const of = (kind: string, dialect: string) => ({
    name: kind,
    kind,
    origin: upstream.origin,
    credential: `canary-of-${kind}`,
    dialects: [dialect],
    models: [{ id: `lab/${kind}`, upstream: 'm-1', prices: { input: 1, output: 5 } }],
  });
  gateway = await openGateway({ providers: [of('google', 'gemini'), of('custom', 'openai-chat')] });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

async function read(model: string, query = '?alt=sse'): Promise<readonly string[]> {
  const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
  const answered = await gateway.post(`/v1beta/models/${model}:streamGenerateContent${query}`, body);
  assert.equal(answered.status, 200);
  const chunks: string[] = [];
  for await (const chunk of answered.body ?? []) chunks.push(Buffer.from(chunk).toString());
  return chunks;
}

/** The error of a chunk that is JSON by itself. */
function errorAlone(chunks: readonly string[]): { readonly code?: number; readonly message?: string } | undefined {
  return chunks.flatMap((chunk) => {
    try {
      return [JSON.parse(chunk).error];
    } catch {
      return [];
    }
  })[0];
}

function errorInEvent(chunks: readonly string[]): { readonly code?: number } | undefined {
  const events = chunks
    .join('')
    .split(/\r?\n\r?\n/)
    .filter((event) => event.startsWith('data: '));
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? '{}').error;
}

describe('a stream that the gateway has to break off has the error in an event, and then alone in a chunk', () => {
  for (const model of ['lab/custom', 'lab/google'])
    test(model, async () => {
      breakOff = (exchange) => exchange.reset();
      const chunks = await read(model);
      assert.match(chunks.join(''), /Half/);
      assert.equal(errorInEvent(chunks)?.code, 502);
      assert.deepEqual(errorAlone(chunks), errorInEvent(chunks));
    });

  test('an array ends as one, with the error as its last element', async () => {
    breakOff = (exchange) => exchange.reset();
    const array = JSON.parse((await read('lab/custom', '')).join('')) as { error?: { code: number } }[];
    assert.equal(array.at(-1)?.error?.code, 502);
    assert.equal(array.filter(({ error }) => error !== undefined).length, 1);
  });
});

describe('an error that Google sends as an object alone', () => {
  const alone = JSON.stringify(OVERLOADED, null, 2);

  test('is relayed as it is', async () => {
    breakOff = async (exchange) => {
      await exchange.chunk(alone);
      await exchange.lastChunk();
    };
    const settled = gateway.nextRecord();
    const chunks = await read('lab/google');
    assert.deepEqual(errorAlone(chunks), OVERLOADED.error);
    assert.equal((await settled).ending, 'upstream_failed');
  });

  test('reaches the caller of another format', async () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const answered = await gateway.post('/api/v1/chat/completions', { model: 'lab/google', stream: true, messages });
    assert.match(await answered.text(), /The model is overloaded/);
  });

  test('is the last element of an array', async () => {
    const array = JSON.parse((await read('lab/google', '')).join('')) as unknown[];
    assert.deepEqual(array.at(-1), OVERLOADED);
  });
});
