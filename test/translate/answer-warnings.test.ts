/**
 * Goal: what a translated answer leaves out is reported: in the record, and to the caller of a whole answer in a
 * header. Method: a provider that speaks the other format sends answers with content that cannot be expressed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DialectUnderTest, type OpenGateway, openGateway, PATHS } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { anthropicBody, anthropicFrames, openaiBody, openaiFrames, stream } from '../support/upstream-scripts.ts';

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  upstream = await startScriptedUpstream(() => undefined);
  gateway = await openGateway({
    providers: [provider('messages', 'anthropic-messages'), provider('completions', 'openai-chat')],
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

function provider(name: string, dialect: DialectUnderTest): object {
  return {
    name,
    kind: 'custom',
    origin: upstream.origin,
    credential: `canary-credential-of-${name}`,
    dialects: [dialect],
    models: [{ id: `lossy/${name}`, upstream: 'lossy-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
  };
}

const BLOCK = 'a block "lantern" was left out of the answer';
const IMAGES = 'a content part "image_url" was left out of the answer';

describe('a caller of chat completions', () => {
  test('reads in a header what was left out of a whole answer, after what was left out of the request', async () => {
    const body = JSON.parse(anthropicBody('Hi you'));
    const content = [{ type: 'lantern' }, ...body.content, { type: 'lantern' }];
    upstream.play((exchange) => exchange.whole(200, JSON.stringify({ ...body, content })));
    const { header, warnings, text } = await call('openai-chat', { seed: 7 });
    assert.match(text, /"content":"Hi you"/);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /seed/);
    assert.equal(warnings[1], BLOCK);
    assert.equal(header, warnings.join('; '));
  });

  test('finds in the record what was left out of a stream', async () => {
    upstream.play(stream(withLanterns(anthropicFrames(['Hi', ' you']), 2)));
    const { header, warnings, text } = await call('openai-chat', { stream: true });
    assert.match(text, /\[DONE\]/);
    assert.deepEqual(warnings, [BLOCK]);
    assert.equal(header, null);
  });

  test('finds there, too, what was left out before a stream broke off', async () => {
    const frames = withLanterns(anthropicFrames(['Hi']), 1).slice(0, 4);
    upstream.play(async (exchange) => {
      await exchange.openStream();
      for (const frame of frames) await exchange.chunk(frame);
      await exchange.chunk(data({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }));
      await exchange.lastChunk();
    });
    const { warnings, text } = await call('openai-chat', { stream: true });
    assert.match(text, /"error"/);
    assert.deepEqual(warnings, [BLOCK]);
  });

  test('gets a bounded number of warnings', async () => {
    const body = JSON.parse(anthropicBody('Hi you'));
    const content = Array.from({ length: 500 }, (_, index) => ({ type: `lantern_${index}` }));
    upstream.play((exchange) => exchange.whole(200, JSON.stringify({ ...body, content })));
    const { warnings } = await call('openai-chat', {});
    assert.equal(warnings.length, 32);
    assert.equal(warnings.at(-1), 'further warnings are not listed');
  });

  test('gets no warning for an ordinary answer', async () => {
    upstream.play((exchange) => exchange.whole(200, anthropicBody('Hi you')));
    assert.deepEqual((await call('openai-chat', {})).warnings, []);
    upstream.play(stream(anthropicFrames(['Hi', ' you'])));
    assert.deepEqual((await call('openai-chat', { stream: true })).warnings, []);
  });
});

describe('a caller of the Messages API', () => {
  test('reads in a header what was left out of a whole answer', async () => {
    const body = openaiBody('Hi you').replace('"refusal":null', '"images":[{"type":"image_url"}]');
    upstream.play((exchange) => exchange.whole(200, body));
    const { header, warnings } = await call('anthropic-messages', {});
    assert.deepEqual(warnings, [IMAGES]);
    assert.equal(header, IMAGES);
  });

  test('finds what was left out of a stream in the record, what only its own format cannot say included', async () => {
    const place = { url: 'https://tides.example/', title: '', start_index: 0, end_index: 2 };
    const delta = { images: [{ type: 'image_url' }], annotations: [{ type: 'url_citation', url_citation: place }] };
    const chunk = data({ id: 'chatcmpl-scripted', choices: [{ index: 0, delta, finish_reason: null }] });
    upstream.play(stream(openaiFrames(['Hi', ' you']).toSpliced(2, 0, chunk, chunk)));
    const { warnings, text } = await call('anthropic-messages', { stream: true });
    assert.match(text, /message_stop/);
    assert.deepEqual(warnings, [IMAGES, 'this format cannot express where in its text a citation belongs']);
  });

  test('gets no warning for an ordinary answer', async () => {
    upstream.play((exchange) => exchange.whole(200, openaiBody('Hi you')));
    assert.deepEqual((await call('anthropic-messages', {})).warnings, []);
    upstream.play(stream(openaiFrames(['Hi', ' you'])));
    assert.deepEqual((await call('anthropic-messages', { stream: true })).warnings, []);
  });
});

describe('thoughts that are left out', () => {
  const NOT_TAKEN_BACK = 'reasoning was left out of earlier turns, since this provider does not accept it';
  const FOREIGN = 'reasoning from other providers was left out of earlier turns';
  const UNASKED = 'reasoning was left out of the answer, because it was not requested';
  const conversation = (thoughts: object) => [
    { role: 'user', content: 'go' },
    { role: 'assistant', ...thoughts },
    { role: 'user', content: 'on' },
  ];
  const blocks = (thought: object) => ({
    content: [
      { type: 'thinking', thinking: 'Hm.', ...thought },
      { type: 'text', text: 'Hi' },
    ],
  });

  test('of earlier turns are reported at the head of every answer, and in the record', async () => {
    const rows = [
      ['anthropic-messages', blocks({ signature: '' }), NOT_TAKEN_BACK],
      ['anthropic-messages', blocks({ signature: 'c2ln' }), FOREIGN],
      ['openai-chat', { content: 'Hi', reasoning: 'Hm.' }, FOREIGN],
    ] as const;
    for (const [dialect, thoughts, warning] of rows)
      for (const streamed of [false, true]) {
        const isOpenai = dialect === 'anthropic-messages';
        if (streamed) upstream.play(stream(isOpenai ? openaiFrames(['Hi']) : anthropicFrames(['Hi'])));
        else upstream.play((exchange) => exchange.whole(200, isOpenai ? openaiBody('Hi') : anthropicBody('Hi')));
        const { header, warnings } = await call(dialect, { stream: streamed, messages: conversation(thoughts) });
        assert.deepEqual(warnings, [warning]);
        assert.equal(header, warning);
      }
  });

  test('are reported, too, if a request is relayed without those of another vendor', async () => {
    upstream.play((exchange) => exchange.whole(200, anthropicBody('Hi')));
    const messages = conversation(blocks({ signature: 'tp1.google-gemini-v1.c2ln' }));
    const { header, warnings } = await call('anthropic-messages', { model: 'lossy/messages', messages });
    assert.deepEqual([warnings, header], [[FOREIGN], FOREIGN]);
  });

  test('of an answer whose caller did not ask for them are reported', async () => {
    const body = openaiBody('Hi you').replace('"refusal":null', '"reasoning":"Hm."');
    upstream.play((exchange) => exchange.whole(200, body));
    assert.deepEqual((await call('anthropic-messages', {})).warnings, [UNASKED]);
    const thought = data({ id: 'c', choices: [{ index: 0, delta: { reasoning: 'Hm.' }, finish_reason: null }] });
    upstream.play(stream(openaiFrames(['Hi']).toSpliced(1, 0, thought)));
    assert.deepEqual((await call('anthropic-messages', { stream: true })).warnings, [UNASKED]);

    const message = JSON.parse(anthropicBody('Hi'));
    const content = [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }, ...message.content];
    upstream.play((exchange) => exchange.whole(200, JSON.stringify({ ...message, content })));
    assert.deepEqual((await call('openai-chat', {})).warnings, [UNASKED]);
    assert.deepEqual((await call('openai-chat', { reasoning: { exclude: true } })).warnings, []);
  });
});

async function call(dialect: DialectUnderTest, fields: object) {
  const recorded = gateway.nextRecord();
  const model = dialect === 'openai-chat' ? 'lossy/messages' : 'lossy/completions';
  const messages = [{ role: 'user', content: 'go' }];
  const response = await gateway.post(PATHS[dialect], { model, max_tokens: 99, messages, ...fields });
  const text = await response.text();
  const { warnings } = await recorded;
  return { text, warnings, header: response.headers.get('x-turnpike-warnings') };
}

/** With unknown blocks instead of the message's beginning, each started and stopped. */
function withLanterns(frames: readonly string[], count: number): readonly string[] {
  const lanterns = Array.from({ length: count }, (_, number) => [
    data({ type: 'content_block_start', index: 90 + number, content_block: { type: 'lantern' } }),
    data({ type: 'content_block_stop', index: 90 + number }),
  ]);
  return frames.toSpliced(1, 0, ...lanterns.flat());
}

function data(payload: object): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}
