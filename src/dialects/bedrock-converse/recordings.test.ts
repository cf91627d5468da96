/**
 * Goal: real traffic is read without loss, however it is cut, and never when it is damaged. Method: every recorded answer is metered and
 * read, and compared with a plain reading of the same JSON. The recordings are not part of this project; without them this test is skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { encodeEvent } from '../../../test/support/event-stream.ts';
import type { ChatEvent } from '../../chat/response.ts';
import { promptTokens, type Usage } from '../../core/usage.ts';
import { EventStreamSplitter } from '../../wire/frames/event-stream-splitter.ts';
import { PEEK, readMeter } from '../contract-fixture.ts';
import { WholeAnswer } from '../kit/relay/whole-answer.ts';
import { bedrockConverse } from './bedrock-converse.ts';

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON, compared with what was read of it.
type Json = any;

const folder = join(
  resolve(process.env['TURNPIKE_RECORDINGS'] ?? join(import.meta.dirname, '../../../../shared/data/recorded')),
  'bedrock',
);
const present = existsSync(folder);
const skip = present ? false : `no recordings at ${folder} (TURNPIKE_RECORDINGS)`;

describe('recorded streams', { skip }, () => {
  for (const { name, bytes, events } of recordedStreams()) {
    test(`${name} is metered and read without loss, cut at every byte`, () => {
      const whole = readStream(bytes, bytes.length);
      const expected = plainReading(events);
      assert.equal(whole.meter.state, 'finished');
      assert.equal(whole.meter.finishReason, expected.stopReason);
      assert.deepEqual(tokensOf(whole.meter.usage), expected.tokens);
      assert.deepEqual(saidIn(whole.events), expected.said);
      assert.deepEqual(
        whole.events.filter(({ type }) => type === 'warning' || type === 'error'),
        [],
      );
      for (let cut = 1; cut < bytes.length; cut += 1) assert.deepEqual(readStream(bytes, cut), whole, `cut at ${cut}`);
    });
  }

  test('one with any byte damaged is never a whole answer, and shows nothing of the damaged message', () => {
    const [{ bytes, events } = { bytes: Buffer.alloc(0), events: [] }] = recordedStreams().filter(({ name }) =>
      name.includes('native_output'),
    );
    const said = String(plainReading(events).said.text);
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0x20;
      const { meter, events: read } = readStream(damaged, damaged.length);
      // Also in the last message, of which the answer itself needs nothing.
      assert.equal(meter.state, 'failed', `byte ${at}`);
      assert.equal(read.at(-1)?.type, 'error', `byte ${at}`);
      assert.ok(said.startsWith(String(saidIn(read).text)), `byte ${at}`);
    }
  });
});

describe('recorded answers', { skip }, () => {
  for (const { name, status, body } of recordedAnswers()) {
    test(`${name} is read without loss`, () => {
      const bytes = Buffer.from(JSON.stringify(body));
      if (status >= 400) {
        const { code, relayable, message } = bedrockConverse.readError(status, {}, bytes);
        assert.deepEqual([code, relayable, message], ['model_not_found', false, body.message]);
        return;
      }
      const meter = bedrockConverse.openMeter(PEEK);
      meter.body(new WholeAnswer(bytes));
      const { state, usage, finishReason } = readMeter(meter);
      assert.deepEqual([state, finishReason], ['finished', body.stopReason]);
      assert.deepEqual(tokensOf(usage), tokensIn(body.usage));
      const response = bedrockConverse.readResponse(bytes);
      assert.deepEqual(response?.warnings, []);
      const content: Json[] = body.output.message.content;
      const texts = content.map((block) => block.text ?? block.reasoningContent?.reasoningText.text ?? null);
      const calls = content.map(({ toolUse }) => toolUse && [toolUse.toolUseId, toolUse.name, toolUse.input]);
      const read = response?.blocks ?? [];
      assert.deepEqual(
        read.map((block) => ('text' in block ? block.text : null)),
        texts,
      );
      assert.deepEqual(
        read.map((block) => (block.type === 'tool_call' ? [block.id, block.name, block.input] : undefined)),
        calls,
      );
    });
  }

  test('there are some of each kind', () => {
    assert.ok(recordedStreams().length >= 9);
    assert.ok(recordedAnswers().filter(({ status }) => status < 400).length >= 10);
    assert.ok(recordedAnswers().filter(({ status }) => status >= 400).length >= 3);
  });
});

function readStream(bytes: Buffer, cut: number) {
  const splitter = new EventStreamSplitter();
  const meter = bedrockConverse.openMeter(PEEK);
  const reader = bedrockConverse.openReader();
  const frames = [...splitter.push(bytes.subarray(0, cut)), ...splitter.push(bytes.subarray(cut))];
  const events = frames.flatMap((frame) => {
    meter.frame(frame);
    return reader.frame(frame);
  });
  return { events: [...events, ...reader.end()], meter: readMeter(meter) };
}

function saidIn(events: readonly ChatEvent[]) {
  const all = { text: '', reasoning: '', arguments: '', signature: '' };
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') all[event.type] += event.text;
    if (event.type === 'arguments') all.arguments += event.json;
    if (event.type === 'signature') all.signature += event.signature;
  }
  return all;
}

/** A second reading of a stream's events, to compare with. */
function plainReading(events: readonly (readonly [type: string, payload: Json])[]) {
  const deltas = events.map(([, payload]) => payload.delta ?? {});
  const joined = (part: (delta: Json) => unknown) => deltas.map((delta) => part(delta) ?? '').join('');
  const usage = events.map(([, payload]) => payload.usage).find((value) => value !== undefined);
  return {
    said: {
      text: joined(({ text }) => text),
      reasoning: joined(({ reasoningContent }) => reasoningContent?.text),
      arguments: joined(({ toolUse }) => toolUse?.input),
      signature: joined(({ reasoningContent }) => reasoningContent?.signature),
    },
    stopReason: events.find(([type]) => type === 'messageStop')?.[1].stopReason,
    tokens: usage === undefined ? null : tokensIn(usage),
  };
}

function tokensIn(usage: Json) {
  const { inputTokens, cacheReadInputTokens = 0, cacheWriteInputTokens = 0, outputTokens, totalTokens } = usage;
  const prompt = inputTokens + cacheReadInputTokens + cacheWriteInputTokens;
  assert.equal(prompt + outputTokens, totalTokens, 'the total is of all of them');
  return { prompt, output: outputTokens, cached: cacheReadInputTokens };
}

function tokensOf(usage: Usage | null) {
  if (usage === null) return null;
  return { prompt: promptTokens(usage), output: usage.outputTokens, cached: usage.cacheReadTokens };
}

function files(ending: RegExp): string[] {
  return present ? readdirSync(folder).filter((name) => ending.test(name)) : [];
}

function recordedStreams() {
  const binary = files(/\.eventstream\.bin$/).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { name, bytes, events: decoded(bytes) };
  });
  // One event a line, which is the name of its only field.
  const lines = files(/\.chunks\.txt$/).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8').split('\n');
    const events = text
      .filter((line) => line.trim() !== '')
      .map((line) => Object.entries(JSON.parse(line))[0] as [string, Json]);
    return { name, bytes: Buffer.concat(events.map(([type, payload]) => encodeEvent(type, payload))), events };
  });
  return [...binary, ...lines];
}

/** Read by Amazon's package. */
function decoded(bytes: Buffer): [type: string, payload: Json][] {
  const codec = new EventStreamCodec(
    (part) => Buffer.from(part).toString(),
    (text) => Buffer.from(text),
  );
  const events: [string, Json][] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const { headers, body } = codec.decode(bytes.subarray(at, at + bytes.readUInt32BE(at)));
    events.push([String(headers[':event-type']?.value), JSON.parse(Buffer.from(body).toString())]);
  }
  return events;
}

function recordedAnswers(): { name: string; status: number; body: Json }[] {
  const bare = files(/^(?!.*\.vcr).*\.json$/).map((name) => ({ name, status: 200, body: jsonOf(name) }));
  const exchanges = files(/\.vcr\.json$/).flatMap((name) =>
    jsonOf(name).map(({ request, response }: Json, index: number) => ({
      name: `${name} ${index + 1}`,
      uri: String(request.uri),
      status: response.status,
      body: response.body,
    })),
  );
  const converse = exchanges.filter(({ uri, body, status }: Json) => body && (/\/converse/.test(uri) || status >= 400));
  return [...bare, ...converse];
}

function jsonOf(name: string): Json {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
