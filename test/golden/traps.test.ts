/**
 * Goal: what broke other gateways does not break this one, in any format that it can concern. Method: a test for each trap of the list that
 * the project keeps, by its number; those that need a whole gateway are elsewhere, and the last test finds them by name.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ChatEvent } from '../../src/chat/response.ts';
import { type ProviderDialectName, providerDialects } from '../../src/dialects/index.ts';
import { encodeStream } from './encode-stream.ts';
import { answerFixtures, bothNames, callerNames, neutralAnswers, neutralRequests, providerNames } from './fixtures.ts';
import { type Said, saidIn } from './said.ts';
import { assertStrictStream } from './strict-streams.ts';
import { targetsOf } from './targets.ts';
import { readFixture, readStream, readWhole, type Written, writeNeutral, writeStream } from './translate.ts';
import { ERROR_EVENTS, EVENTS_OF_CALLS, REFUSALS, SPLIT_RESULTS, STOP_WITH_CALLS } from './trap-fixtures.ts';

const sequence: readonly ChatEvent[] = eventsOfAnswer('pieces');

describe('streams to callers', () => {
  for (const to of callerNames) {
    test(`trap 1: what switches between blocks is not lost on the way to ${to}`, () => {
      for (const { name, events } of neutralAnswers()) {
        const before = saidIn(events);
        if (before !== null && isBoth(to)) assertRead(to, events, before, name);
      }
    });

    test(`trap 2: thoughts, texts and calls are blocks of their own, with one start, for ${to}`, () => {
      assertStrictStream(to, writeStream(to, sequence).bytes);
    });

    test(`trap 4: an answer with calls never ends as one without, for ${to}`, () => {
      const { bytes } = writeStream(to, eventsOfAnswer('calls'));
      assertStrictStream(to, bytes);
      if (isBoth(to)) assert.equal(finishOf(readStream(to, bytes).events), 'tool_calls');
    });

    test(`trap 5: parallel calls are told apart by ${to}`, () => {
      if (isBoth(to))
        assert.equal(saidIn(readStream(to, writeStream(to, eventsOfAnswer('calls')).bytes).events)?.calls.length, 2);
    });

    test(`trap 6: arguments are where a client of ${to} reads them`, () => {
      if (isBoth(to)) assertRead(to, eventsOfAnswer('call'), saidIn(eventsOfAnswer('call')), 'call');
    });

    test(`trap 13: an empty text is no block of ${to}`, () => {
      const blank: ChatEvent[] = [{ type: 'block_start', block: { type: 'text' } }, { type: 'block_end' }];
      const [start, ...rest] = eventsOfAnswer('call');
      assert.ok(start !== undefined);
      const { bytes } = writeStream(to, [start, ...blank, ...rest]);
      assertStrictStream(to, bytes);
      const call = writeStream(to, [start, ...rest]).bytes.length;
      assert.ok(bytes.length <= call + EMPTY_BLOCK_MAX, bytes.toString());
    });

    test(`trap 18: a thought that is only signed reaches ${to}`, () => {
      for (const name of ['thought-omitted', 'thought-hidden', 'signed-call', 'summaries']) {
        const { bytes } = writeStream(to, eventsOfAnswer(name));
        if (isBoth(to)) assert.equal(saidIn(readStream(to, bytes).events)?.isSealed, true, name);
      }
    });
  }
});

describe('streams of providers', () => {
  for (const from of providerNames) {
    const calls = EVENTS_OF_CALLS[from];

    test(`trap 3: a call of ${from} whose end is said twice is one call`, () => {
      assert.ok(calls !== undefined);
      const twice = calls.payloads.flatMap((payload) => (calls.isEnd(payload) ? [payload, payload] : [payload]));
      const { events } = readStream(from, encodeStream(from, twice));
      const said = saidIn(events);
      // To break off is safe as well: a tool that runs twice is not.
      assert.ok(said === null || said.calls.length === 1, JSON.stringify(said));
    });

    test(`trap 4: ${from} says that it stopped, and called tools: these count`, () => {
      const [whole, stream] = STOP_WITH_CALLS[from] ?? [];
      assert.ok(whole !== undefined && stream !== undefined);
      assert.equal(readWhole(from, Buffer.from(JSON.stringify(whole)))?.finish.reason, 'tool_calls');
      assert.equal(
        finishOf(
          readStream(
            from,
            encodeStream(
              from,
              stream.map((each) => JSON.stringify(each)),
            ),
          ).events,
        ),
        'tool_calls',
      );
    });

    test(`trap 8: usage of ${from} counts once, whether it comes after the end or with every event`, () => {
      for (const { name, bytes, streamed } of answerFixtures(from)) {
        if (!streamed) continue;
        const { events } = readStream(from, bytes);
        const before = saidIn(events);
        if (before === null || before.usage === null) continue;
        for (const to of bothNames)
          assert.deepEqual(saidIn(readStream(to, writeStream(to, events).bytes).events)?.usage, before.usage, name);
      }
    });

    test(`trap 24: an error of ${from} after the first words is an error for every caller, never an end`, () => {
      const payloads = ERROR_EVENTS[from];
      assert.ok(payloads !== undefined);
      const { events } = readStream(
        from,
        encodeStream(
          from,
          payloads.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
        ),
      );
      assert.equal(events.at(-1)?.type, 'error');
      for (const to of bothNames) assert.equal(saidIn(readStream(to, writeStream(to, events).bytes).events), null, to);
    });
  }

  test('trap 5: calls of one index, or of none, are told apart by their ids', () => {
    const call = (index: number | undefined, id: string) => ({
      index,
      id,
      type: 'function',
      function: { name: id, arguments: '{}' },
    });
    for (const index of [0, undefined]) {
      const chunk = (delta: object, finish_reason: string | null = null) => ({
        id: 'x',
        choices: [{ index: 0, delta, finish_reason }],
      });
      const payloads = [
        chunk({ tool_calls: [call(index, 'a')] }),
        chunk({ tool_calls: [call(index, 'b')] }),
        chunk({}, 'tool_calls'),
      ];
      const { events } = readStream(
        'openai-chat',
        encodeStream('openai-chat', [...payloads.map((each) => JSON.stringify(each)), '[DONE]']),
      );
      assert.deepEqual(
        saidIn(events)?.calls.map(({ id }) => id),
        ['a', 'b'],
      );
    }
  });

  test('trap 7: arguments that come only in the done event of Responses are read', () => {
    const item = (args: string) => ({ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: args });
    const done = {
      type: 'response.function_call_arguments.done',
      output_index: 0,
      item_id: 'fc_1',
      arguments: '{"a":1}',
    };
    for (const middle of [[done], []]) {
      const payloads = [
        { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: item('') },
        ...middle,
        { type: 'response.output_item.done', output_index: 0, item: item('{"a":1}') },
        { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item('{"a":1}')] } },
      ];
      const { events } = readStream(
        'openai-responses',
        encodeStream(
          'openai-responses',
          payloads.map((each) => JSON.stringify(each)),
        ),
      );
      assert.deepEqual(saidIn(events)?.calls, [{ id: 'c1', name: 'f', json: '{"a":1}' }]);
    }
  });

  test('trap 9: a chunk without choices, and one without a delta, as Azure sends them, are no answer and no error', () => {
    const payloads = [
      { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [] },
      { id: 'x', choices: [{ index: 0, delta: { content: 'Noon.' }, finish_reason: null }] },
      { id: '', choices: [{ index: 0, finish_reason: null, content_filter_offsets: {}, content_filter_results: {} }] },
      { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ];
    const { events } = readStream(
      'openai-chat',
      encodeStream('openai-chat', [...payloads.map((each) => JSON.stringify(each)), '[DONE]']),
    );
    assert.equal(saidIn(events)?.text, 'Noon.');
  });

  test('trap 10: the last words and the end in one event are both read', () => {
    const chat = [
      { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'Noon.' }, finish_reason: 'stop' }] },
    ];
    const google = [
      { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Noon.' }] }, finishReason: 'STOP' }] },
    ];
    for (const [from, payloads] of [
      ['openai-chat', chat],
      ['gemini', google],
    ] as const) {
      const { events } = readStream(
        from,
        encodeStream(
          from,
          payloads.map((each) => JSON.stringify(each)),
        ),
      );
      assert.equal(saidIn([...events, ...providerDialects[from].openReader().end()])?.text, 'Noon.', from);
      assert.equal(finishOf(events), 'end', from);
    }
  });
});

describe('requests of callers', () => {
  for (const from of callerNames) {
    test(`trap 11: results that ${from} sends in several messages are one turn, in the order of their calls`, () => {
      const request = SPLIT_RESULTS[from];
      assert.ok(request !== undefined);
      const read = readFixture({ from, name: 'split', about: 'split', request });
      assert.ok(read.type === 'read', JSON.stringify(read));
      const { turns } = read.request;
      assert.deepEqual(
        turns.map(({ role }) => role),
        ['user', 'assistant', 'user'],
      );
      const results = turns.at(-1)?.blocks.map((block) => (block.type === 'tool_result' ? block.callId : block.type));
      const called = turns[1]?.blocks.map((block) => (block.type === 'tool_call' ? block.id : block.type));
      assert.deepEqual(results, called);
    });
  }
});

describe('requests to providers', () => {
  for (const to of providerNames) {
    test(`trap 12: calls in the conversation bring their tools along, or are written without them, for ${to}`, () => {
      for (const { body } of writtenFor(to, 'tool-history-without-tools')) {
        const text = JSON.stringify(body);
        if (to === 'anthropic-messages' || to === 'bedrock-converse')
          assert.match(text, /"name":"tide"[\s\S]*[sS]chema/);
      }
    });

    test(`trap 13: no text for ${to} is blank`, () => {
      for (const { name } of neutralRequests()) {
        for (const { body } of writtenFor(to, name)) assert.deepEqual(blankTexts(body), [], name);
      }
    });

    test(`trap 14: ${to} gets at most four cache marks`, () => {
      for (const { body } of writtenFor(to, 'cache-marks')) {
        if (to === 'openai-chat') continue;
        assert.ok((JSON.stringify(body).match(/"cache_control":|"cachePoint":/g) ?? []).length <= 4);
      }
    });

    test(`trap 15: a newest model of ${to} gets no sampling that it does not take`, () => {
      const [, newest] = targetsOf(to);
      for (const name of ['sampling', 'sampling-top-k', 'sampling-extras', 'sampling-reasoning']) {
        const { body } = written(to, name, newest?.target);
        assert.doesNotMatch(JSON.stringify(body), /"(temperature|top_?[pP]|top_?[kK])":/);
      }
    });

    test(`trap 16: the cap for ${to} has the name its model takes, is at most what the model gives, and may be 1`, () => {
      const [, newest] = targetsOf(to);
      const { body } = written(to, 'cap-above-model', newest?.target);
      assert.match(
        JSON.stringify(body),
        /"(max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|maxTokens)":8192\b/,
      );
      assert.equal((JSON.stringify(body).match(/"max_?\w*okens":/g) ?? []).length, 1, 'one name only');
      for (const { body: probe } of writtenFor(to, 'cap-one')) assert.match(JSON.stringify(probe), /okens":(1|16)\b/);
    });

    test(`trap 20: ${to} gets no keyword of a schema that it refuses`, () => {
      const refused = REFUSED_KEYWORDS[to];
      for (const { name, target } of [...targetsOf(to), ...olderModels(to)]) {
        if (refused === undefined || refused.unless?.test(name)) continue;
        for (const fixture of ['odd-schemas', 'schema-oddities']) {
          const { body } = written(to, fixture, target);
          assert.doesNotMatch(JSON.stringify(body), refused.keywords, `${fixture} for ${name}`);
        }
      }
    });

    test(`trap 21: ids of calls are such that ${to} takes them, and the same in call and result`, () => {
      for (const name of ['long-tool-id', 'tool-id-charset']) {
        for (const { body } of writtenFor(to, name)) {
          const ids = idsIn(body);
          assert.ok(ids.length >= 2, JSON.stringify(body));
          for (const id of ids) assert.match(id, ID_PATTERNS[to] ?? /./);
          const counts = new Map(ids.map((id) => [id, ids.filter((each) => each === id).length]));
          assert.ok(
            [...counts.values()].every((count) => count === 2),
            `${name}: ${ids}`,
          );
        }
      }
    });

    test(`trap 22: nothing that only a coding agent's own vendor knows reaches ${to}`, () => {
      for (const { body } of writtenFor(to, 'coding-agent')) {
        assert.doesNotMatch(
          JSON.stringify(body),
          /context_management|eager_input_streaming|defer_loading|x-anthropic-billing/,
        );
      }
    });

    test(`trap 25: stop sequences reach ${to}, or the gateway enforces them`, () => {
      const [open] = targetsOf(to);
      const { body, stop } = written(to, 'stop', open?.target);
      assert.ok(stop.includes('Ahoy') || JSON.stringify(body).includes('"Ahoy"'));
    });

    test(`trap 27: the words of ${to} about a bad request are kept as they are, for clients that repair themselves by them`, () => {
      const said = 'messages.1.content.0: Invalid `signature` in `thinking` block';
      const body = Buffer.from(JSON.stringify(REFUSALS[to]?.(said)));
      const { relayable, message } = providerDialects[to].readError(400, {}, body);
      assert.equal(message, said);
      if (isBoth(to)) assert.ok(relayable);
    });

    test(`trap 28: instructions for ${to} keep their parts, unless its format has one text`, () => {
      for (const { body } of writtenFor(to, 'system-blocks')) {
        const text = JSON.stringify(body);
        assert.match(text, /You are a harbour pilot\./);
        if (to !== 'openai-responses') assert.match(text, /"You are a harbour pilot\."[\s\S]*"Answer in one line\."/);
      }
    });

    test(`trap 29: a refusal of our own credential at ${to} stays inside`, () => {
      const body = Buffer.from(JSON.stringify({ error: { message: 'Incorrect API key: sk-planted-0123456789' } }));
      for (const status of [401, 403]) {
        const { code, relayable, message } = providerDialects[to].readError(status, {}, body);
        assert.deepEqual([code, relayable], ['upstream_credential_rejected', false]);
        assert.doesNotMatch(message, /sk-planted/);
      }
    });
  }
});

test('every trap has a test of its own, here or where it fits', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = globSync('{src,test}/**/*.test.ts', { cwd: root });
  const names = files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/traps? \d+(?: and \d+)?/g) ?? []);
  const found = new Set(names.flatMap((name) => name.match(/\d+/g) ?? []).map(Number));
  const missing = Array.from({ length: 30 }, (_, index) => index + 1).filter((trap) => !found.has(trap));
  assert.deepEqual(missing, []);
});

/** What a format may say of a block without a text; the Messages API says nothing. */
const EMPTY_BLOCK_MAX = 0;

function eventsOfAnswer(name: string): readonly ChatEvent[] {
  const answer = neutralAnswers().find((each) => each.name === name);
  assert.ok(answer !== undefined, name);
  return answer.events;
}

function finishOf(events: readonly ChatEvent[]): string | undefined {
  const finish = events.find((event) => event.type === 'finish');
  return finish?.type === 'finish' ? finish.finish.reason : undefined;
}

function isBoth(name: string): name is (typeof bothNames)[number] {
  return bothNames.some((each) => each === name);
}

function assertRead(
  to: (typeof bothNames)[number],
  events: readonly ChatEvent[],
  before: Said | null,
  what: string,
): void {
  const after = saidIn(readStream(to, writeStream(to, events).bytes).events);
  assert.deepEqual([after?.text, after?.calls], [before?.text, before?.calls], what);
}

function written(to: ProviderDialectName, name: string, target = targetsOf(to)[0]?.target): Written {
  const fixture = neutralRequests().find((each) => each.name === name);
  assert.ok(fixture !== undefined && target !== undefined, name);
  const outcome = writeNeutral(fixture.request, to, target);
  assert.ok(outcome.type === 'written', `${name}: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** For every kind of model that does not refuse it. */
function writtenFor(to: ProviderDialectName, name: string): readonly Written[] {
  const fixture = neutralRequests().find((each) => each.name === name);
  assert.ok(fixture !== undefined, name);
  return targetsOf(to).flatMap(({ target }) => {
    const outcome = writeNeutral(fixture.request, to, target);
    return outcome.type === 'written' ? [outcome] : [];
  });
}

/** Models besides those of the golden tests whose schemas are the poorest. */
function olderModels(to: ProviderDialectName): ReturnType<typeof targetsOf> {
  const [open] = targetsOf(to);
  const { quirksOfModel, usualQuirks } = providerDialects[to];
  if (to !== 'gemini' || open === undefined) return [];
  const upstreamModel = 'gemini-2.0-flash';
  const quirks = { ...usualQuirks, ...quirksOfModel?.(upstreamModel) };
  return [{ ...open, name: 'an older model', target: { ...open.target, upstreamModel, quirks } }];
}

const REFUSED_KEYWORDS: Readonly<Record<string, { readonly keywords: RegExp; readonly unless?: RegExp }>> = {
  // Newer models take JSON Schema: https://ai.google.dev/gemini-api/docs/structured-output
  gemini: {
    keywords: /"(\$schema|\$ref|\$defs|const|allOf|oneOf|propertyNames|exclusiveMinimum|additionalProperties)":/,
    unless: /open|newest/,
  },
  'anthropic-messages': { keywords: /"input_schema":\{[^{]*"(anyOf|oneOf|allOf)":/ },
};

const ID_PATTERNS: Readonly<Record<string, RegExp>> = {
  'anthropic-messages': /^[\w-]{1,64}$/,
  'bedrock-converse': /^[\w-]{1,64}$/,
  'openai-chat': /^.{1,40}$/s,
  'openai-responses': /^.{1,64}$/s,
};

const ID_NAMES = new Set(['tool_call_id', 'tool_use_id', 'toolUseId', 'call_id']);

/** The ids of calls and of results, each as often as it is written. */
function idsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  const fields = value as Readonly<Record<string, unknown>>;
  const isCall = fields['type'] === 'tool_use' || 'function' in fields || 'args' in fields || 'response' in fields;
  return Object.entries(fields).flatMap(([name, inner]) => {
    if (typeof inner === 'string') return ID_NAMES.has(name) || (name === 'id' && isCall) ? [inner] : [];
    return idsIn(inner);
  });
}

/** The places of texts that are empty or only white space. */
function blankTexts(value: unknown, place = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${place}.${name}`;
    // A thought may be only its signature.
    if (/^reasoning/.test(name)) return [];
    if (name === 'text' && typeof inner === 'string') return inner.trim() === '' ? [at] : [];
    return blankTexts(inner, at);
  });
}
