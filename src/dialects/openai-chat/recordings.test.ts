/**
 * Goal: real traffic of many vendors is metered and patched without loss. Method: recordings that are not part of the project, from
 * `TURNPIKE_RECORDINGS`; without them the tests are skipped. Every file is tried, and those in this format are checked.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { completionTokens, promptTokens } from '../../core/usage.ts';
import { encodeSse, SseSplitter } from '../../wire/frames/sse-splitter.ts';
import { inboundOf, runStream } from '../contract.ts';
import type { Meter } from '../interface/meter.ts';
import { WholeAnswer } from '../kit/relay/whole-answer.ts';
import { openaiChat } from './openai-chat.ts';

const folder =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../../shared/data/recorded', import.meta.url));
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;

test('recorded streams lose nothing', { skip }, (context) => {
  let seen = 0;
  for (const file of filesOf('.sse', '.chunks.txt')) {
    const bytes = streamOf(file);
    const chunks = chunksOf(bytes);
    if (!chunks.some((chunk) => Array.isArray(chunk['choices']))) continue;
    seen += 1;
    const peek = openaiChat.peek(inboundOf(openaiChat, '{"model":"mine/x","messages":[{}],"stream":true}'));
    const answer = { callerModel: 'mine/x', upstreamModel: 'up', cost: () => '0.5' };
    const whole = runStream(openaiChat, [bytes], peek, answer);
    const { metered, output } = whole;
    assert.equal(metered.state, chunks.some((chunk) => chunk['error'] !== undefined) ? 'failed' : 'finished', file);
    assert.equal(metered.outputBytes, Buffer.byteLength(textOf(chunks)), file);
    assertUsage(chunks, metered.usage, file);

    const patched = chunksOf(output);
    assert.equal(textOf(patched), textOf(chunks), file);
    assert.equal(patched.length, chunks.length, file);
    for (const chunk of patched) {
      assert.notEqual(chunk['usage'], null, file);
      if (chunk['model'] !== undefined) assert.equal(chunk['model'], 'mine/x', file);
      if (chunk['usage'] !== undefined) assert.notDeepEqual(chunk['choices'], [], file);
    }
    const byteByByte = Array.from(bytes.subarray(0, 20_000), (_, at) => bytes.subarray(at, at + 1));
    assert.deepEqual(runStream(openaiChat, [...byteByByte, bytes.subarray(20_000)], peek, answer), whole, file);
    const frames = new SseSplitter().push(bytes).map((frame) => frame.bytes);
    const rest = bytes.subarray(frames.reduce((sum, frame) => sum + frame.length, 0));
    assert.deepEqual(runStream(openaiChat, [...frames, rest], peek, answer), whole, file);
  }
  assert.ok(seen >= 10, `only ${seen} streams were found`);
  context.diagnostic(`${seen} recorded streams`);
});

test('recorded answers lose nothing', { skip }, (context) => {
  let seen = 0;
  for (const file of filesOf('.json')) {
    for (const body of answersOf(JSON.parse(readFileSync(file, 'utf8')))) {
      seen += 1;
      const meter: Meter = openaiChat.openMeter(
        openaiChat.peek(inboundOf(openaiChat, '{"model":"x","messages":[{}]}')),
      );
      meter.body(new WholeAnswer(Buffer.from(JSON.stringify(body))));
      assert.equal(meter.state, 'finished', file);
      assert.equal(meter.delivered().outputBytes, Buffer.byteLength(textOf([body])), file);
      assertUsage([body], meter.usage(), file);
    }
  }
  assert.ok(seen >= 20, `only ${seen} answers were found`);
  context.diagnostic(`${seen} recorded answers`);
});

type Json = Record<string, unknown>;

function filesOf(...endings: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
    .sort()
    .map((file) => join(folder, file));
}

/** `.chunks.txt` has one chunk per line, without the framing. */
function streamOf(file: string): Buffer {
  if (file.endsWith('.sse')) return readFileSync(file);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return Buffer.concat(lines.map((line) => encodeSse(null, line)));
}

function chunksOf(bytes: Buffer): Json[] {
  const chunks: Json[] = [];
  for (const { data } of new SseSplitter().push(bytes)) {
    if (data?.[0] !== 0x7b) continue;
    try {
      chunks.push(JSON.parse(data.toString()));
    } catch {
      // One recording of another format has broken lines on purpose; it has no `choices` and is left out.
    }
  }
  return chunks;
}

/** The whole answers of this format in a file: the file itself, or the successful exchanges it lists. */
function answersOf(json: unknown): Json[] {
  const candidates = Array.isArray(json) ? json.map((exchange) => exchange?.response?.body) : [json];
  return candidates.filter((body) => Array.isArray(body?.choices) && body.choices[0]?.message !== undefined);
}

/** All output text, in a very simple reading. */
function textOf(chunks: readonly Json[]): string {
  let text = '';
  for (const chunk of chunks) {
    for (const choice of (chunk['choices'] ?? []) as Json[]) {
      const delta = (choice['delta'] ?? choice['message'] ?? {}) as Json;
      const content = delta['content'];
      if (typeof content === 'string') text += content;
      else if (Array.isArray(content))
        text +=
          JSON.stringify(content)
            .match(/(?<="text":").*?(?=")/g)
            ?.map((part) => JSON.parse(`"${part}"`))
            .join('') ?? '';
      text += delta['refusal'] ?? '';
      text += delta['reasoning'] ?? delta['reasoning_content'] ?? '';
      text += (delta['audio'] as Json | undefined)?.['transcript'] ?? '';
      for (const call of (delta['tool_calls'] ?? []) as { function?: { arguments?: string } }[]) {
        text += call.function?.arguments ?? '';
      }
    }
  }
  return text;
}

/** The report in the recording is found, and every token of it is in the counters. */
function assertUsage(chunks: readonly Json[], usage: ReturnType<Meter['usage']>, file: string): void {
  const reports = chunks.map((chunk) => chunk['usage'] ?? (chunk['x_groq'] as Json | undefined)?.['usage']);
  const last = reports.filter((report) => report !== undefined && report !== null).at(-1) as
    | { prompt_tokens: number; completion_tokens: number; total_tokens: number }
    | undefined;
  if (last === undefined) return assert.equal(usage, null, file);
  assert.ok(usage !== null, `${file}: the usage was lost`);
  assert.equal(promptTokens(usage), last.prompt_tokens, file);
  assert.equal(promptTokens(usage) + completionTokens(usage), last.total_tokens, file);
}
