/**
 * Goal: an equal request is answered again with the same bytes and without a charge, and no other request ever is. Method: the whole gateway
 * between real sockets and a scripted provider that counts what reaches it.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { balanceOf } from '../../src/billing/money-view.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { accountId } from '../../src/core/ids.ts';
import { freeAgain } from '../support/free-again.ts';
import {
  chatBody,
  DIALECTS,
  endsProperly,
  errorCode,
  eventsOf,
  OPEN_MODEL,
  type OpenBench,
  openBench,
  PATHS,
} from '../support/open-gateway.ts';
import {
  answerWell,
  anthropicFrames,
  openaiFrames,
  refuse,
  stream,
  streamInPieces,
  streamThen,
} from '../support/upstream-scripts.ts';

const CACHED = { 'x-turnpike-cache': 'true' };

let bench: OpenBench;
const clock = new ManualClock(Date.now());
before(async () => {
  bench = await openBench({}, { clock });
});
after(() => bench.close());
beforeEach(() => bench.upstream.play(answerWell));

const asked = () => bench.upstream.exchanges.length;
const balance = async () => (await balanceOf(bench.app.gateway.bank.money, accountId(1)))?.balance;
let last = 0;
/** A prompt that nobody sent before. */
const news = () => `prompt ${++last}`;

/** The management API, as commands use it. */
async function control(method: 'POST' | 'PATCH' | 'DELETE', path: string, payload: object = {}) {
  const answer = await bench.app.control.inject({ method, url: `/control/api${path}`, payload });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json<{ readonly data: Readonly<Record<string, unknown>>; readonly key: string }>();
}

interface Answered {
  readonly status: number;
  readonly bytes: string;
  readonly cache: string | null;
  readonly headers: Headers;
}

async function call(path: string, body: object, headers: Readonly<Record<string, string>> = CACHED): Promise<Answered> {
  const answer = await bench.post(path, body, headers);
  return {
    status: answer.status,
    bytes: await answer.text(),
    cache: answer.headers.get('x-turnpike-cache'),
    headers: answer.headers,
  };
}

for (const dialect of DIALECTS) {
  describe(dialect, () => {
    const path = PATHS[dialect];
    for (const streamed of [false, true])
      test(`the second equal request costs nothing and gets the same bytes but for the cost, ${streamed ? 'streamed' : 'whole'}`, async () => {
        const body = chatBody(streamed, news());
        const first = await call(path, body);
        assert.deepEqual([first.status, first.cache], [200, 'miss']);
        const [askedBefore, balanceBefore] = [asked(), await balance()];
        const recorded = bench.nextRecord();
        const second = await call(path, body);
        assert.deepEqual([second.status, second.cache, second.bytes], [200, 'hit', freeAgain(first.bytes)]);
        assert.equal(second.bytes.includes('"cost":0}'), dialect === 'openai-chat');
        assert.equal(first.bytes.includes('"cost":0.0'), dialect === 'openai-chat');
        assert.equal(second.headers.get('x-turnpike-attempts'), '0');
        assert.equal(second.headers.get('content-type'), first.headers.get('content-type'));
        assert.notEqual(second.headers.get('x-generation-id'), first.headers.get('x-generation-id'));
        assert.deepEqual([asked(), await balance()], [askedBefore, balanceBefore]);
        const record = await recorded;
        assert.deepEqual(
          [record.usageSource, record.charge, record.cost, record.hold, record.saved > 0n, record.attempts.length],
          ['cache', 0n, 0n, 0n, true, 0],
        );
        assert.deepEqual([record.model, record.provider, record.streamed], [OPEN_MODEL, 'scripted', streamed]);
      });

    test('a stream is written from a whole answer, and a whole answer from a stream', async () => {
      const [one, other] = [news(), news()];
      const whole = await call(path, chatBody(false, one));
      const asStream = await call(path, chatBody(true, one));
      assert.deepEqual([whole.cache, asStream.cache], ['miss', 'hit']);
      assert.match(String(asStream.headers.get('content-type')), /^text\/event-stream/);
      assert.ok(endsProperly(asStream.bytes));
      assert.equal(textOf(eventsOf(asStream.bytes)), 'Hi you');
      const streamed = await call(path, chatBody(true, other));
      const asWhole = await call(path, chatBody(false, other));
      assert.deepEqual([streamed.cache, asWhole.cache], ['miss', 'hit']);
      assert.equal(textOf([JSON.parse(asWhole.bytes)]), 'Hi you');
      assert.deepEqual(Object.keys(JSON.parse(asWhole.bytes)).includes('usage'), true);
    });

    test('a stream that came cut anywhere is kept as the caller got it', async () => {
      const frames = dialect === 'openai-chat' ? openaiFrames(['Grüß', ' dich']) : anthropicFrames(['Grüß', ' dich']);
      for (const bytes of [1, 2, 3, 7, 64, 1_000]) {
        bench.upstream.play(streamInPieces(frames, bytes));
        const body = chatBody(true, news());
        const first = await call(path, body);
        const second = await call(path, body);
        assert.deepEqual([second.cache, second.bytes], ['hit', freeAgain(first.bytes)], `${bytes} bytes a chunk`);
      }
    });
  });
}

describe('what is not the same request', () => {
  const path = PATHS['openai-chat'];
  test('another body, format, model name, header that matters, or project', async () => {
    const prompt = news();
    await call(path, chatBody(false, prompt));
    const before = asked();
    const different = [
      await call(path, { ...chatBody(false, prompt), temperature: 0 }),
      await call(path, {
        max_tokens: 99,
        model: OPEN_MODEL,
        stream: false,
        messages: [{ role: 'user', content: prompt }],
      }),
      await call(PATHS['anthropic-messages'], chatBody(false, prompt)),
      await call(path, chatBody(false, prompt), { ...CACHED, 'openai-beta': 'assistants=v2' }),
    ];
    assert.deepEqual(
      different.map(({ cache }) => cache),
      ['miss', 'miss', 'miss', 'miss'],
    );
    await control('POST', '/projects', { name: 'other' });
    const { key } = await control('POST', '/keys', { project: 'other' });
    const theirs = await call(path, chatBody(false, prompt), { ...CACHED, authorization: `Bearer ${key}` });
    assert.equal(theirs.cache, 'miss');
    assert.equal(asked(), before + 5);
  });

  test('an older answer than the caller wants, one that has expired, and one that is refreshed', async () => {
    const body = chatBody(false, news());
    await call(path, body, { ...CACHED, 'x-turnpike-cache-max-age': '100' });
    clock.advance(50_000);
    const younger = await call(path, body, { ...CACHED, 'x-turnpike-cache-max-age': '60' });
    assert.deepEqual([younger.cache, younger.headers.get('age')], ['hit', '50']);
    assert.equal((await call(path, body, { ...CACHED, 'x-turnpike-cache-max-age': '40' })).cache, 'miss');
    assert.equal((await call(path, body, { 'x-turnpike-cache': 'refresh' })).cache, 'miss');
    clock.advance(301_000);
    assert.equal((await call(path, body)).cache, 'miss');
  });

  test('a call that does not ask for it, or turns it off, gets its own answer and no header', async () => {
    const body = chatBody(false, news());
    await call(path, body);
    const before = asked();
    assert.equal((await call(path, body, {})).cache, null);
    assert.equal((await call(path, body, { 'x-turnpike-cache': 'false' })).cache, null);
    assert.equal(asked(), before + 2);
    const refused = await call(path, body, { 'x-turnpike-cache': 'perhaps' });
    assert.deepEqual([refused.status, errorCode(JSON.parse(refused.bytes))], [400, 'invalid_value']);
  });
});

describe('what is not kept', () => {
  const path = PATHS['openai-chat'];
  async function isKept(body: object): Promise<boolean> {
    await call(path, body);
    bench.upstream.play(answerWell);
    return (await call(path, body)).cache === 'hit';
  }

  test('a refusal, a stream that breaks off, an error inside a stream', async () => {
    bench.upstream.play(refuse(400, { error: { message: 'no', type: 'invalid_request_error' } }));
    assert.equal(await isKept(chatBody(false, news())), false);
    bench.upstream.play(streamThen(openaiFrames(['Hi']).slice(0, 2), (exchange) => exchange.reset()));
    assert.equal(await isKept(chatBody(true, news())), false);
    bench.upstream.play(stream([...openaiFrames(['Hi']).slice(0, 2), 'data: {"error":{"message":"no"}}\n\n']));
    assert.equal(await isKept(chatBody(true, news())), false);
  });

  test('an answer whose length the balance decided', async () => {
    const poor = await openBench({ billing: { firstRunCredit: '0.01' } });
    try {
      const body = { model: OPEN_MODEL, messages: [{ role: 'user', content: 'hi' }] };
      for (let index = 0; index < 2; index += 1) {
        const answer = await poor.post(path, body, CACHED);
        await answer.text();
        assert.deepEqual([answer.status, answer.headers.get('x-turnpike-cache')], [200, 'miss']);
      }
    } finally {
      await poor.close();
    }
  });
});

describe('concurrent equal requests', () => {
  const path = PATHS['openai-chat'];
  test('ask the provider once, and all others get its answer', async () => {
    const before = asked();
    const body = chatBody(false, news());
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(path, body)));
    assert.equal(asked(), before + 1);
    assert.equal(answers.filter(({ cache }) => cache === 'hit').length, 9);
    const charged = answers.find(({ cache }) => cache === 'miss')?.bytes ?? '';
    assert.notEqual(freeAgain(charged), charged);
    for (const { cache, bytes } of answers)
      if (cache === 'hit') assert.equal(bytes, freeAgain(charged), 'who pays is told so, and nobody else');
  });

  test('go on by themselves if the first one fails', async () => {
    const body = chatBody(false, news());
    const before = asked();
    bench.upstream.play(async (exchange) => {
      bench.upstream.play(answerWell);
      await exchange.whole(400, '{"error":{"message":"no"}}');
    });
    const answers = await Promise.all(Array.from({ length: 4 }, () => call(path, body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400]);
    assert.ok(asked() - before <= 4);
  });
});

describe('rights and limits', () => {
  const path = PATHS['openai-chat'];
  test('a key that may not use the model gets no kept answer, and its setting asks for it', async () => {
    const body = chatBody(false, news());
    await call(path, body);
    const { data, key } = await control('POST', '/keys', { cache_seconds: 60 });
    assert.equal(data['cache_seconds'], 60);
    const change = (changes: object) => control('PATCH', `/keys/${data['id']}`, changes);
    const own = { authorization: `Bearer ${key}` };
    assert.equal((await call(path, body, own)).cache, 'hit');
    assert.equal((await call(path, body, { ...own, 'x-turnpike-cache': 'false' })).cache, null);
    await change({ permissions: { models_allow: ['elsewhere/*'] } });
    assert.equal((await call(path, body, own)).status, 403);
    await change({ permissions: { models_allow: null }, limits: { requests_per_minute: 1 }, cache_seconds: null });
    assert.equal((await call(path, body, { ...own, ...CACHED })).cache, 'hit');
    assert.equal((await call(path, body, { ...own, ...CACHED })).status, 429);
    await change({ limits: { requests_per_minute: null } });
    assert.equal((await call(path, body, own)).cache, null);
    await control('DELETE', `/keys/${data['id']}`);
    assert.equal((await call(path, body, { ...own, ...CACHED })).status, 401);
  });

  test('an account without money gets kept answers, and no others', async () => {
    const poor = await openBench({ billing: { firstRunCredit: '0.001' } });
    try {
      const post = async (content: string) => {
        const answer = await poor.post(path, chatBody(false, content), CACHED);
        await answer.text();
        return [answer.status, answer.headers.get('x-turnpike-cache')];
      };
      assert.deepEqual(await post('first'), [200, 'miss']);
      let status: unknown = 200;
      for (let index = 0; index < 300 && status !== 402; index += 1) [status] = await post(`other ${index}`);
      assert.equal(status, 402);
      assert.deepEqual(await post('first'), [200, 'hit']);
    } finally {
      await poor.close();
    }
  });
});

test('in the other form it costs nothing either', async () => {
  const path = PATHS['openai-chat'];
  const costs = (bytes: string) => [...bytes.matchAll(/"cost":([^,}]+)/g)].map(([, cost]) => cost);
  const [one, other] = [news(), news()];
  await call(path, chatBody(false, one));
  await call(path, chatBody(true, other));
  const again = [await call(path, chatBody(true, one)), await call(path, chatBody(false, other))];
  assert.deepEqual(
    again.map(({ cache, bytes }) => [cache, costs(bytes)]),
    [
      ['hit', ['0']],
      ['hit', ['0']],
    ],
  );
});

test('a markup that changes in between leaves a kept answer free, and what it saved is what it cost when it was made', async () => {
  const path = PATHS['openai-chat'];
  const body = chatBody(false, news());
  const made = bench.nextRecord();
  const first = await call(path, body);
  const { charge } = await made;
  await control('PATCH', '/accounts/1', { rates: { markup: 900 } });
  const recorded = bench.nextRecord();
  const again = await call(path, body);
  const dear = bench.nextRecord();
  const refreshed = await call(path, body, { 'x-turnpike-cache': 'refresh' });
  await control('PATCH', '/accounts/1', { rates: { markup: null } });
  assert.deepEqual([again.cache, again.bytes], ['hit', freeAgain(first.bytes)]);
  const hit = await recorded;
  assert.deepEqual([hit.charge, hit.cost, hit.hold, hit.saved], [0n, 0n, 0n, charge]);
  const remade = await dear;
  assert.deepEqual([refreshed.cache, remade.charge], ['miss', 10n * charge]);
  const later = bench.nextRecord();
  await call(path, body);
  assert.equal((await later).saved, 10n * charge);
});

test('what was saved is in the usage report, and the ledger is in order', async () => {
  const path = PATHS['openai-chat'];
  const body = chatBody(false, news());
  for (let index = 0; index < 4; index += 1) await call(path, body);
  const [from, to] = [-1, 1].map((days) => new Date(clock.now() + days * 86_400_000).toISOString());
  const answer = await bench.app.control.inject(`/control/api/usage?account=1&from=${from}&to=${to}`);
  const { data } = answer.json<{ data: { totals: Record<string, number> } }>();
  const { totals } = data ?? assert.fail(answer.body);
  assert.ok(Number(totals['cache_hits']) >= 3);
  assert.ok(Number(totals['saved']) > 0);
  const verified = await bench.app.control.inject({ method: 'POST', url: '/control/api/ledger/verify', payload: {} });
  assert.deepEqual(verified.json<{ data: { violations: unknown } }>().data.violations, []);
});

function textOf(values: readonly unknown[]): string {
  return values.map(textIn).join('');
}

/** The text of an event or of a whole answer, in either format. */
function textIn(value: unknown): string {
  const { choices, content, delta } = value as {
    readonly choices?: readonly { readonly delta?: { content?: string }; readonly message?: { content?: string } }[];
    readonly content?: readonly { readonly text?: string }[];
    readonly delta?: { readonly text?: string };
  };
  if (choices !== undefined)
    return choices.map((choice) => choice.message?.content ?? choice.delta?.content ?? '').join('');
  if (content !== undefined) return content.map(({ text }) => text ?? '').join('');
  return delta?.text ?? '';
}
