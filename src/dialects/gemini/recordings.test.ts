/**
 * Goal: real answers are read and metered without loss. Method: every recorded answer, compared with a plain reading of the same JSON, and
 * every stream cut after each of its messages. The recordings are not part of this project; without them this test is skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import type { AnswerBlock, ChatEvent } from '../../chat/response.ts';
import { asArray, asObject, type JsonObject, objectsOf } from '../../core/json-object.ts';
import { completionTokens, promptTokens, type Usage } from '../../core/usage.ts';
import { gatherBlocks } from '../kit/answer/gather-blocks.ts';
import { WholeAnswer } from '../kit/relay/whole-answer.ts';
import { readResponse } from './answer/read-response.ts';
import { openReader } from './answer/stream-reader.ts';
import { readError } from './errors/read-error.ts';
import { eventsOf, framesOf } from './fixtures/read-fixture.ts';
import { GeminiMeter } from './meter/meter.ts';

const folder = resolve(
  process.env['TURNPIKE_RECORDINGS'] ?? join(import.meta.dirname, '../../../../shared/data/recorded'),
  'google',
);
const present = existsSync(folder);
const skip = present ? false : `no recordings at ${folder} (TURNPIKE_RECORDINGS)`;

describe('recorded streams', { skip }, () => {
  for (const { name, bytes } of recordedStreams())
    test(`${name} is read and metered without loss, and cut anywhere it has no end`, () => {
      const frames = framesOf(bytes);
      const messages = frames.map((frame) => JSON.parse(String(frame.data)) as JsonObject);
      const events = eventsOf(bytes);
      assertSame(gatherBlocks(events), messages);
      const last = events.at(-1);
      assert(last?.type === 'end');
      assertUsage(last.usage, messages.at(-1));
      const meter = new GeminiMeter();
      for (const frame of frames) meter.frame(frame);
      assert.deepEqual([meter.state, meter.usageInvalid(), meter.usage()], ['finished', false, last.usage]);
      for (let kept = 0; kept < frames.length; kept += 1) {
        const reader = openReader();
        const cut: readonly ChatEvent[] = [
          ...frames.slice(0, kept).flatMap((frame) => reader.frame(frame)),
          ...reader.end(),
        ];
        const isEnd = messages.slice(0, kept).some(hasReason);
        assert.equal(cut.at(-1)?.type, isEnd ? 'end' : 'error', `after ${kept}`);
      }
    });
});

describe('recorded answers', { skip }, () => {
  for (const { name, status, body } of recordedBodies())
    test(`${name} is read and metered without loss`, () => {
      const bytes = Buffer.from(JSON.stringify(body));
      if (status !== 200) {
        const refusal = readError(status, {}, bytes);
        assert.notEqual(refusal.code, 'bad_gateway');
        assert.equal(readResponse(bytes), null);
        return;
      }
      const response = readResponse(bytes);
      assert.ok(response !== null);
      assertSame(response.blocks, [body]);
      assertUsage(response.usage, body);
      const meter = new GeminiMeter();
      meter.body(new WholeAnswer(bytes));
      assert.deepEqual([meter.state, meter.usage()], ['finished', response.usage]);
      assert.equal(meter.upstreamId, body['responseId']);
    });
});

test('a refusal with a delay says how long to wait', { skip }, () => {
  const body = readFileSync(join(folder, 'google-429-retry-info.json'));
  const { code, retryAfterSeconds } = readError(429, {}, body);
  assert.deepEqual([code, retryAfterSeconds], ['upstream_rate_limited', 35]);
});

/** Every part of the candidates is in a block: its text, its thought, its signature, its call. */
function assertSame(blocks: readonly AnswerBlock[], messages: readonly JsonObject[]): void {
  const parts = messages.flatMap(partsOf);
  const textOf = (isThought: boolean) =>
    parts
      .filter((part) => (part['thought'] === true) === isThought)
      .map((part) => part['text'] ?? '')
      .join('');
  const join = (type: AnswerBlock['type']) =>
    blocks.map((block) => (block.type === type && 'text' in block ? block.text : '')).join('');
  assert.equal(join('text'), textOf(false));
  assert.equal(join('reasoning'), textOf(true));
  assert.deepEqual(
    blocks.flatMap((block) => (block.type === 'reasoning' ? (block.encrypted ?? block.signature ?? []) : [])),
    parts.flatMap((part) => part['thoughtSignature'] ?? []),
  );
  const calls = parts.map((part) => asObject(part['functionCall'])).filter((call) => call?.['name'] !== undefined);
  const read = blocks.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
  assert.deepEqual(
    read.map(({ name }) => name),
    calls.map((call) => call?.['name']),
  );
  for (const [index, call] of calls.entries())
    if (call?.['willContinue'] !== true) assert.deepEqual(read[index]?.input, call?.['args'] ?? {});
  // The strings of arguments in pieces are all there.
  const given = read.map(({ input }) => JSON.stringify(input)).join('');
  for (const part of parts)
    for (const piece of objectsOf(asObject(part['functionCall'])?.['partialArgs']))
      assert.ok(given.includes(JSON.stringify(piece['stringValue'] ?? piece['numberValue']).slice(1, -1)));
}

function assertUsage(usage: Usage | null, message: JsonObject | undefined): void {
  const counts = asObject(message?.['usageMetadata']) ?? {};
  const count = (name: string) => Number(counts[name] ?? 0);
  if (counts['promptTokenCount'] === undefined) return assert.equal(usage, null);
  assert(usage !== null);
  assert.equal(promptTokens(usage), count('promptTokenCount') + count('toolUsePromptTokenCount'));
  assert.equal(completionTokens(usage), count('candidatesTokenCount') + count('thoughtsTokenCount'));
  assert.equal(promptTokens(usage) + completionTokens(usage), count('totalTokenCount'));
  assert.equal(usage.reasoningTokens, count('thoughtsTokenCount'));
}

function partsOf(message: JsonObject): readonly JsonObject[] {
  return objectsOf(message['candidates']).flatMap(({ content }) => objectsOf(asObject(content)?.['parts']));
}

function hasReason(message: JsonObject): boolean {
  return objectsOf(message['candidates']).some(({ finishReason }) => finishReason !== undefined);
}

interface Recorded {
  readonly name: string;
}

function names(ending: string): readonly string[] {
  return present ? readdirSync(folder).filter((name) => name.endsWith(ending)) : [];
}

function recordedStreams(): readonly (Recorded & { readonly bytes: Buffer })[] {
  const raw = names('.sse').map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const lines = names('.chunks.txt').map((name) => {
    const payloads = readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    return { name, bytes: Buffer.from(payloads.map((line) => `data: ${line}\r\n\r\n`).join('')) };
  });
  return [...raw, ...lines];
}

function recordedBodies(): readonly (Recorded & { readonly status: number; readonly body: JsonObject })[] {
  return names('.json').flatMap((name) => {
    const recorded: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    if (!Array.isArray(recorded)) {
      const body = recorded as JsonObject;
      return [{ name, status: body['error'] === undefined ? 200 : 429, body }];
    }
    return asArray(recorded).flatMap((exchange) => {
      const { request, response } = exchange as { request: JsonObject; response: JsonObject };
      const body = asObject(response['body']);
      const path = String(request['uri'] ?? request['path']);
      if (body === null || !path.endsWith(':generateContent')) return [];
      return [{ name, status: Number(response['status']), body }];
    });
  });
}
