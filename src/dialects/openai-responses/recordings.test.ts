/**
 * Goal: real traffic of the servers that speak this format is read, metered and relayed without loss, and a stream that breaks off anywhere is
 * never taken for a whole one. Method: recordings that are not part of the project, from `TURNPIKE_RECORDINGS`; without them the tests are
 * skipped. Every file is tried, and those in this format are checked.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AnswerBlock, ChatEvent } from '../../chat/response.ts';
import { bytesOf } from '../../core/body.ts';
import { completionTokens, promptTokens, type Usage } from '../../core/usage.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import { encodeSse, SseSplitter } from '../../wire/frames/sse-splitter.ts';
import { plainContext, runStream } from '../contract.ts';
import { PEEK } from '../contract-fixture.ts';
import { gatherBlocks } from '../kit/answer/gather-blocks.ts';
import { WholeAnswer } from '../kit/relay/whole-answer.ts';
import { openReader } from './answer/stream-reader.ts';
import { openaiResponses } from './openai-responses.ts';

const folder =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../../shared/data/recorded', import.meta.url));
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;

test('recorded streams lose nothing, and break off wherever they are cut', { skip }, (context) => {
  let seen = 0;
  for (const file of filesOf('.sse', '.chunks.txt')) {
    for (const bytes of streamsOf(file)) {
      const frames = new SseSplitter().push(bytes);
      const last = lastResponse(frames);
      if (last === null) continue;
      seen += 1;
      const isFailed = last['status'] === 'failed';
      const events = eventsOf(frames);
      assert.equal(events.at(-1)?.type, isFailed ? 'error' : 'end', file);
      for (let kept = 0; kept < frames.length; kept += 1) {
        const cut = frames.slice(0, kept);
        const isOver = cut.some(({ event, data }) => isEnding(event, data));
        const end = eventsOf(cut).at(-1);
        assert.equal(end?.type, isOver ? events.at(-1)?.type : 'error', `${file}, cut after ${kept}`);
      }
      const whole = runStream(openaiResponses, [bytes], PEEK, { ...plainContext('mine/x'), cost: () => '0.5' });
      assert.equal(whole.metered.state, isFailed ? 'failed' : 'finished', file);
      assert.equal(whole.metered.upstreamId, firstId(frames), file);
      if (isFailed) continue;
      if (!SHORTENED.test(file)) assertBlocks(gatherBlocks(events), last, file);
      assertUsage(whole.metered.usage, last, file);
      for (const { data } of new SseSplitter().push(whole.output)) {
        const model = data === null ? undefined : (parsed(data)?.['response'] as Json | undefined)?.['model'];
        assert.ok(model === undefined || model === 'mine/x', file);
      }
      const pieces = frames.map((frame) => frame.bytes);
      const again = runStream(openaiResponses, pieces, PEEK, { ...plainContext('mine/x'), cost: () => '0.5' });
      assert.deepEqual(again, whole, `${file}, a frame at a time`);
    }
  }
  assert.ok(seen >= 20, `only ${seen} streams were found`);
  context.diagnostic(`${seen} recorded streams`);
});

test('recorded answers lose nothing', { skip }, (context) => {
  let seen = 0;
  for (const file of filesOf('.json')) {
    for (const answer of answersOf(JSON.parse(readFileSync(file, 'utf8')))) {
      seen += 1;
      const bytes = Buffer.from(JSON.stringify(answer));
      const response = openaiResponses.readResponse(bytes);
      assert.ok(response !== null, file);
      assertBlocks(response.blocks, answer, file);
      const meter = openaiResponses.openMeter(PEEK);
      meter.body(new WholeAnswer(bytes));
      assert.equal(meter.state, 'finished', file);
      assertUsage(meter.usage(), answer, file);
      const relayed = openaiResponses.openRelay(PEEK, plainContext('mine/x')).editBody(new WholeAnswer(bytes));
      const usage = answer['usage'] as Json;
      // What the operator paid.
      const own = 'cost' in usage ? { ...usage, cost: null } : usage;
      assert.deepEqual(JSON.parse(bytesOf(relayed).toString()), { ...answer, model: 'mine/x', usage: own }, file);
    }
  }
  assert.ok(seen >= 25, `only ${seen} answers were found`);
  context.diagnostic(`${seen} recorded answers`);
});

type Json = Record<string, unknown>;

/** Whoever recorded it kept only the first deltas of each text. */
const SHORTENED = /openai-phase\.1\.chunks\.txt$/;

function filesOf(...endings: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
    .sort()
    .map((file) => join(folder, file));
}

/** `.chunks.txt` has one payload per line without the framing, sometimes of several streams; one has broken lines on purpose. */
function streamsOf(file: string): Buffer[] {
  if (file.endsWith('.sse')) return [readFileSync(file)];
  const streams: Buffer[][] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.trim() === '') continue;
    const payload = parsed(Buffer.from(line)) ?? parsed(Buffer.from(`${line}}`));
    if (payload === null) return [];
    if (streams.length === 0 || payload['type'] === 'response.created') streams.push([]);
    streams.at(-1)?.push(encodeSse(String(payload['type']), JSON.stringify(payload)));
  }
  return streams.map((frames) => Buffer.concat(frames));
}

function parsed(data: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

function eventsOf(frames: readonly Frame[]): readonly ChatEvent[] {
  const reader = openReader();
  return [...frames.flatMap((frame) => reader.frame(frame)), ...reader.end()];
}

const ENDINGS = /^(response\.(completed|incomplete|failed)|error)$/;

function isEnding(event: string | null, data: Buffer | null): boolean {
  return ENDINGS.test(String((data === null ? null : parsed(data))?.['type'] ?? event));
}

/** The response of the last event; null if the stream has another format. */
function lastResponse(frames: readonly Frame[]): Json | null {
  const ends = frames.flatMap(({ data }): Json[] => {
    const event = data === null ? null : parsed(data);
    return event === null ? [] : [event];
  });
  const last = ends.findLast((event) => ENDINGS.test(String(event['type'])) && event['response'] !== undefined);
  const response = (last?.['response'] as Json | undefined) ?? null;
  if (response === null || (response['output'] as Json[] | undefined)?.length !== 0) return response;
  // Some have the items only in the stream.
  const done = ends.filter((event) => event['type'] === 'response.output_item.done');
  return { ...response, output: done.map((event) => event['item']) };
}

function firstId(frames: readonly Frame[]): unknown {
  for (const { data } of frames) {
    const response = data === null ? undefined : (parsed(data)?.['response'] as Json | undefined);
    if (response !== undefined) return response['id'];
  }
  return null;
}

function answersOf(json: unknown): Json[] {
  const exchanges = Array.isArray(json) ? json.map((each) => each?.response?.body) : [json];
  return exchanges.filter((body) => body?.object === 'response' && Array.isArray(body.output) && !body.error);
}

/** A second, very simple reading of the whole response. */
function assertBlocks(blocks: readonly AnswerBlock[], response: Json, file: string): void {
  const items = (response['output'] ?? []) as Json[];
  const parts = items.flatMap(({ type, content }) => (type === 'message' ? ((content ?? []) as Json[]) : []));
  const text = blocks.map((block) => (block.type === 'text' || block.type === 'refusal' ? block.text : '')).join('');
  assert.equal(text, parts.map((part) => part['text'] ?? part['refusal'] ?? '').join(''), file);
  const calls = items.filter(
    ({ type, name }) => /^(function|custom_tool)_call$/.test(String(type)) && name !== 'parallel',
  );
  const names = blocks.flatMap((block) => (block.type === 'tool_call' ? block.name : []));
  // One recording has a wrapper of two calls.
  const wrapped = items.some(({ name }) => name === 'parallel');
  assert.deepEqual(names, wrapped ? ['weather', 'cityAttractions'] : calls.map(({ name }) => name), file);
  // OpenAI encrypts a thought again for each event: that of the finished item counts.
  assert.equal(
    blocks.filter((block) => block.type === 'reasoning' && block.encrypted !== null).length,
    items.filter(({ type, encrypted_content: value }) => type === 'reasoning' && value).length,
    file,
  );
  const thoughts = items.flatMap(({ type, summary, content }) =>
    type === 'reasoning' ? [...((summary ?? []) as Json[]), ...((content ?? []) as Json[])] : [],
  );
  assert.equal(
    blocks.map((block) => (block.type === 'reasoning' ? block.text : '')).join(''),
    thoughts.map((part) => part['text'] ?? '').join(''),
    file,
  );
}

function assertUsage(usage: Usage | null, response: Json, file: string): void {
  const report = response['usage'] as { input_tokens: number; output_tokens: number } | null | undefined;
  if (report === null || report === undefined) return assert.equal(usage, null, file);
  assert.ok(usage !== null, `${file}: the usage was lost`);
  assert.equal(promptTokens(usage), report.input_tokens, file);
  assert.equal(completionTokens(usage), report.output_tokens, file);
}
