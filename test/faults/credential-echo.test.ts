/**
 * Goal: when a provider repeats its credential, in whatever place and form, no caller, record or log line gets it,
 * and the operator learns of it. Method: every place where a provider can write text, times the ways to
 * write a secret, in both lanes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  type OpenBench,
  openBenchWith,
  PATHS,
} from '../support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, stream } from '../support/upstream-scripts.ts';
import { type GoodAnswer, goodAnswers } from './fault.ts';

/** A word that no redaction of key-like text would hide by luck, and that may appear in a header and in a warning. */
const CREDENTIAL = 'canary.of-a.provider';
/** Where the scripts have it; replaced on the wire, so that escapes stay unchanged. */
const HERE = 'HERE-IT-IS';
const FORMS: Readonly<Record<string, string>> = {
  plain: CREDENTIAL,
  'JSON escapes': CREDENTIAL.replace('-', '\\u002d'),
  'all JSON escapes': [...CREDENTIAL].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
  'URL escapes': CREDENTIAL.replace('-', '%2D').replace('.', '%2e'),
  base64: Buffer.from(`user:${CREDENTIAL}`).toString('base64'),
};
const MODEL_OF: Readonly<Record<DialectUnderTest, string>> = {
  'openai-chat': 'spoken/openai',
  'anthropic-messages': 'spoken/anthropic',
};

let upstream: ScriptedUpstream;
let bench: OpenBench;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  const providers = DIALECTS.map((dialect) => ({
    name: `only-${dialect}`,
    kind: 'custom',
    origin: upstream.origin,
    credential: CREDENTIAL,
    dialects: [dialect],
    models: [{ id: MODEL_OF[dialect], upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
  }));
  bench = await openBenchWith(upstream, { providers });
});
after(() => bench.close());

interface Place {
  readonly name: string;
  readonly streamed: boolean;
  readonly script: (good: GoodAnswer, form: string) => Script;
  /** Whether the answer is a good one, whose own words belong to the caller. */
  readonly isAnswer?: boolean;
}

const IDS = ['request-id', 'x-request-id', 'retry-after', 'x-should-retry', 'set-cookie', 'x-echo'];
const headersWith = (form: string) => Object.fromEntries(IDS.map((name) => [name, `a ${form} b`]));
const put = (text: string, form: string) => text.replaceAll(HERE, form);

const places: Place[] = [
  {
    name: 'headers of a whole answer',
    streamed: false,
    isAnswer: true,
    script:
      ({ body }, form) =>
      (exchange) =>
        exchange.whole(200, body, headersWith(form)),
  },
  {
    name: 'headers of a stream',
    streamed: true,
    isAnswer: true,
    script:
      ({ frames }, form) =>
      async (exchange) => {
        await exchange.openStream(headersWith(form));
        for (const frame of frames) await exchange.chunk(frame);
        await exchange.lastChunk();
      },
  },
  ...[400, 404, 413, 422, 429, 500].flatMap((status): Place[] => [
    {
      name: `a refusal, ${status}`,
      streamed: false,
      script:
        ({ errorBody }, form) =>
        (exchange) =>
          exchange.whole(status, put(errorBody('invalid_request_error', `no: ${HERE}`), form)),
    },
    {
      name: `headers of a refusal, ${status}`,
      streamed: true,
      script:
        ({ errorBody }, form) =>
        (exchange) =>
          exchange.whole(status, errorBody('invalid_request_error', 'temperature is too high'), headersWith(form)),
    },
  ]),
  {
    name: 'an error instead of an answer',
    streamed: false,
    script:
      ({ errorBody }, form) =>
      (exchange) =>
        exchange.whole(200, put(errorBody('invalid_request_error', HERE), form)),
  },
  ...[0, 3].flatMap((after): Place[] => [
    {
      name: `an error event after ${after} frames`,
      streamed: true,
      script: ({ frames, errorFrame }, form) => stream([...frames.slice(0, after), put(errorFrame(HERE), form)]),
    },
    {
      name: `an error about the request after ${after} frames`,
      streamed: true,
      script: ({ frames, errorBody }, form) =>
        stream([
          ...frames.slice(0, after),
          put(`event: error\ndata: ${errorBody('invalid_request_error', `bad ${HERE}`)}\n\n`, form),
        ]),
    },
    {
      name: `an error of a choice after ${after} frames`,
      streamed: true,
      script: ({ frames }, form) =>
        stream([
          ...frames.slice(0, after),
          put(`data: {"choices":[{"index":0,"delta":{},"error":{"code":400,"message":"${HERE}"}}]}\n\n`, form),
        ]),
    },
    {
      name: `a comment, and an event of an unknown kind, after ${after} frames`,
      streamed: true,
      script: ({ frames }, form) =>
        stream([
          ...frames.slice(0, after),
          put(`: signed with ${HERE}\n\nevent: notice\ndata: {"type":"notice","text":"${HERE}"}\n\n`, form),
          ...frames.slice(after),
        ]),
    },
    {
      name: `a ping with more to say after ${after} frames`,
      streamed: true,
      isAnswer: true,
      script: ({ frames }, form) =>
        stream([
          ...frames.slice(0, after),
          // Of chat completions it is an event of an unknown kind.
          put(`event: ping\ndata: {"type":"ping","by":"${HERE}"}\n\n`, form),
          ...frames.slice(after),
        ]),
    },
    {
      name: `the end of a large event of an unknown kind after ${after} frames`,
      streamed: true,
      isAnswer: true,
      script: ({ frames }, form) =>
        stream([
          ...frames.slice(0, after),
          put(`event: notice\ndata: {"type":"notice","pad":"${'x'.repeat(300_000)}","text":"${HERE}"}\n\n`, form),
          ...frames.slice(after),
        ]),
    },
    {
      name: `an event that cannot be read after ${after} frames`,
      streamed: true,
      script: ({ frames }, form) =>
        stream([...frames.slice(0, after), put(`event: error\ndata: no: ${HERE}\n\n`, form)]),
    },
  ]),
];

/** Fields that accompany an event of one letter. */
const paddings: Readonly<Record<string, (frame: string, padding: string) => string>> = {
  'what an event is padded with': (frame, padding) => frame.replace(/\}\n\n$/, `,"obfuscation":"${padding}"}\n\n`),
  'a delta in a field': (frame, padding) =>
    frame.replace(/data: ?\{/, `data: {"debug":{"delta":{"type":"text_delta","text":"${padding}"}},`),
  'an earlier delta': (frame, padding) =>
    frame.replace('"delta":', `"delta":{"type":"text_delta","text":"${padding}"},"delta":`),
  'an earlier text': (frame, padding) => frame.replace(/"(text|content)":"x"/, `"$1":"${padding}","$1":"x"`),
  'a text whose name is then escaped': (frame, padding) =>
    frame.replace(/"(text|content)":"x"/, (_all, name: string) => {
      const escaped = `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
      return `"${name}":"${padding}","${escaped}":"x"`;
    }),
};

/** Fields in addition to the words of a good answer. */
const besides: readonly Place[] = [
  ...(['id', 'debug', 'error', 'service_tier'] as const).map(
    (field): Place => ({
      name: `${field} of a whole answer`,
      streamed: false,
      script:
        ({ body }, form) =>
        (exchange) => {
          const said =
            field === 'id' || field === 'service_tier' ? `"${HERE}"` : `{"headers":[{"a":"Bearer ${HERE}"}]}`;
          return exchange.whole(
            200,
            put(body.replace(/^\{/, `{"${field}":${said},`).replace(/,"id":"[^"]*"/, ''), form),
          );
        },
    }),
  ),
  {
    name: 'a field of a whole answer that appears twice',
    streamed: false,
    script:
      ({ body }, form) =>
      (exchange) =>
        exchange.whole(200, put(body.replace(/^\{/, `{"id":"${HERE}",`), form)),
  },
  // It is looked through in several turns.
  ...[`"debug":"${HERE}"`, `"id":"${HERE}"`].map(
    (fields): Place => ({
      name: `a large answer with ${fields}`,
      streamed: false,
      script:
        ({ body }, form) =>
        (exchange) =>
          exchange.whole(200, body.replace(/^\{/, `{"picture":"${'A'.repeat(1_200_000)}",${put(fields, form)},`)),
    }),
  ),
  {
    name: 'the reason for the end of a whole answer',
    streamed: false,
    script:
      ({ body }, form) =>
      (exchange) =>
        exchange.whole(200, body.replace(/"(stop|end_turn)"/, `"${form}"`)),
  },
  {
    name: 'a name of a field in a whole answer',
    streamed: false,
    script:
      ({ body }, form) =>
      (exchange) =>
        exchange.whole(200, put(body.replace(/^\{/, `{"debug":{"${HERE}":1},`), form)),
  },
  ...([1, 2, 4] as const).flatMap(
    (at): Place[] =>
      [
        ['a comment in', (frame: string) => `: ${HERE}\n${frame}`],
        ['an id line of', (frame: string) => frame.replace(/\n\n$/, `\nid: ${HERE}\n\n`)],
        ['a field of', (frame: string) => frame.replace(/data: ?\{/, `data: {"debug":{"said":"${HERE}"},`)],
        [
          'an error without effect in',
          (frame: string) => frame.replace(/data: ?\{/, `data: {"warning":{"error":"${HERE}"},`),
        ],
      ].map(([what, change]) => ({
        name: `${what} event ${at} of a stream`,
        streamed: true,
        script: ({ frames }: GoodAnswer, form: string) =>
          stream(
            frames.map((frame, index) =>
              index < at ? frame : put((change as (frame: string) => string)(frame), form),
            ),
          ),
      })) as Place[],
  ),
  // Once it is known which bytes of a stream's events differ, the next events are compared, and not parsed.
  ...Object.entries(paddings).map(
    ([what, padded]): Place => ({
      name: `${what}, which differs from one event of a stream to the next`,
      streamed: true,
      script: ({ frames }, form) => {
        const word = frames.find((frame) => frame.includes('"two "'))?.replace('two ', 'x');
        assert.ok(word !== undefined && padded(word, 'a') !== word);
        const said = [...'abcdef', HERE].map((padding) => put(padded(word, padding), form));
        return stream([...frames.slice(0, 3), ...said, ...frames.slice(3)]);
      },
    }),
  ),
  ...[`: ${HERE}`, `data: {"debug":"${HERE}"}`, `data: {"debug":"${HERE}"}\n`, `data: {"debug":"${HERE}`].map(
    (rest): Place => ({
      name: `${JSON.stringify(rest)} after the last event`,
      streamed: true,
      isAnswer: true,
      script: ({ frames }, form) => stream([...frames.slice(0, -1), put(rest, form)]),
    }),
  ),
];
places.push(...besides);

/** Everything about one call that anybody but the provider got to see. */
async function seenOf(caller: DialectUnderTest, spoken: DialectUnderTest, { streamed }: Place): Promise<string> {
  const before = bench.records.length;
  const response = await bench.post(PATHS[caller], chatBody(streamed, 'hi', MODEL_OF[spoken]));
  const body = await response.text();
  const records = JSON.stringify(bench.records.slice(before), (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return [...[...response.headers].map(String), body, records].join('\n');
}

for (const spoken of DIALECTS) {
  for (const caller of DIALECTS) {
    describe(`${caller} to ${spoken}: our credential is not repeated from`, () => {
      for (const place of places) {
        test(place.name, async () => {
          for (const [name, form] of Object.entries(FORMS)) {
            const lines = bench.log.length;
            upstream.play(place.script(goodAnswers[spoken], form));
            const seen = await seenOf(caller, spoken, place);
            for (const each of [form, CREDENTIAL]) assert.ok(!seen.includes(each), `${name}: ${seen}`);
            if (place.isAnswer === true) assert.match(seen, /four/);
            const log = bench.log.slice(lines).join('');
            assert.ok(!log.includes(form) && !log.includes(CREDENTIAL), log);
          }
        });
      }
    });
  }
}

test('the log and a metric show the operator which provider repeated it, and where', async () => {
  const lines = bench.log.length;
  for (const place of places) {
    upstream.play(place.script(goodAnswers['openai-chat'], CREDENTIAL));
    await seenOf('openai-chat', 'openai-chat', place);
  }
  const warnings = bench.log.slice(lines).map((line) => JSON.parse(line) as Record<string, string>);
  const repeated = warnings.filter(({ msg }) => msg?.startsWith('a provider repeated its credential') === true);
  assert.deepEqual(
    [...new Set(repeated.map(({ where }) => where))].toSorted(),
    [
      ...['answer', 'answer event', 'answer id', 'error event', 'event', 'finish reason', 'refusal'],
      ...['request id', 'retry-after', 'x-should-retry'],
    ].toSorted(),
  );
  for (const { level, provider, request } of repeated) {
    assert.deepEqual([level, provider], ['warn', 'only-openai-chat']);
    assert.match(request ?? '', /^req_/);
  }
  assert.match(
    await (await fetch(`${bench.url}/metrics`)).text(),
    /turnpike_alerts_total\{kind="credential_echoed"\} \d+/,
  );
});

test('the words of a good answer pass untouched', async () => {
  for (const spoken of DIALECTS) {
    const { body, frames } = goodAnswers[spoken];
    const put = (text: string) => text.replace(/(one|three) (two three four )?/, CREDENTIAL);
    const lines = bench.log.length;
    for (const streamed of [false, true]) {
      upstream.play((exchange) => (streamed ? stream(frames.map(put))(exchange) : exchange.whole(200, put(body))));
      const response = await bench.post(PATHS[spoken], chatBody(streamed, 'hi', MODEL_OF[spoken]));
      assert.match(await response.text(), new RegExp(`"(content|text)": ?"${CREDENTIAL}`));
      assert.equal(bench.records.at(-1)?.ending, 'complete');
    }
    assert.doesNotMatch(bench.log.slice(lines).join(''), /repeated its credential/);
  }
});

test('a warning that would contain it is left out', async () => {
  const { body } = goodAnswers['openai-chat'];
  upstream.play((exchange) =>
    exchange.whole(200, body.replace('"refusal"', `"${CREDENTIAL}":"x","other":"y","refusal"`)),
  );
  const response = await bench.post(PATHS['anthropic-messages'], chatBody(false, 'hi', MODEL_OF['openai-chat']));
  assert.equal(response.headers.get('x-turnpike-warnings'), 'the field "other" of the message was left out');
  await response.text();
});

test('a refusal to count tokens is reported without it', async () => {
  const { errorBody } = goodAnswers['anthropic-messages'];
  const ask = () =>
    bench.post('/v1/messages/count_tokens', {
      model: MODEL_OF['anthropic-messages'],
      messages: [{ role: 'user', content: 'hi' }],
    });
  for (const form of Object.values(FORMS)) {
    for (const [message, headers] of [
      [HERE, {}],
      ['temperature is too high', headersWith(form)],
    ] as const) {
      upstream.play((exchange) => exchange.whole(400, put(errorBody('invalid_request_error', message), form), headers));
      const response = await ask();
      const seen = [...[...response.headers].map(String), await response.text()].join('\n');
      for (const each of [form, CREDENTIAL]) assert.ok(!seen.includes(each), seen);
    }
  }
});

test('an id or a reason that is too long is not recorded at all, so that no part of a credential is', async () => {
  const half = CREDENTIAL.slice(0, 12);
  for (const spoken of DIALECTS) {
    const { body, frames } = goodAnswers[spoken];
    // A part of it comes before the cut, and the rest after; or none of it is there at all.
    for (const end of [CREDENTIAL, 'x'.repeat(20_000)]) {
      const put = (text: string) =>
        text
          .replace(/"(chatcmpl|msg)[-_]\w+"/, `"${'i'.repeat(256 - half.length)}${end}"`)
          .replace(/"(stop|end_turn)"/, `"${'r'.repeat(64 - half.length)}${end}"`);
      assert.notEqual(put(body), body);
      for (const streamed of [false, true]) {
        upstream.play((exchange) => (streamed ? stream(frames.map(put))(exchange) : exchange.whole(200, put(body))));
        const recorded = bench.nextRecord();
        await (await bench.post(PATHS[spoken], chatBody(streamed, 'hi', MODEL_OF[spoken]))).text();
        const { upstreamId, finishReason } = await recorded;
        assert.ok(!`${upstreamId} ${finishReason}`.includes(half.slice(0, 8)), `${upstreamId} ${finishReason}`);
        assert.ok((upstreamId ?? '').length < 256 && (finishReason ?? '').length < 64);
      }
    }
  }
});
