/**
 * Goal: real answers of many vendors are read without loss. Method: recordings that are not part of the project, from
 * `TURNPIKE_RECORDINGS`; without them the tests are skipped. Text, reasoning and arguments are compared with a plain reading, and read
 * again after being written.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AnswerBlock } from '../../../chat/response.ts';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { gatherBlocks } from '../../kit/answer/gather-blocks.ts';
import { CONTEXT, eventsOf, written } from './answer-fixture.ts';
import { readResponse } from './read-response.ts';
import { writeResponse } from './write-response.ts';

const folder =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../../../shared/data/recorded', import.meta.url));
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;

test('recorded streams are read without loss', { skip }, (context) => {
  let seen = 0;
  for (const file of filesOf('.sse', '.chunks.txt')) {
    const bytes = streamOf(file);
    const deltas = deltasOf(bytes);
    if (deltas === null) continue;
    seen += 1;
    const events = eventsOf(bytes);
    const blocks = gatherBlocks(events);
    const failed = events.at(-1)?.type === 'error';
    assert.equal(failed, bytes.includes('"error":{'), file);
    if (failed) continue;
    assertSame(blocks, deltas, file);
    assert.deepEqual(withoutMadeIds(gatherBlocks(eventsOf(written(events)))), withoutMadeIds(blocks), file);
    const half = bytes.length >> 1;
    assert.deepEqual(eventsOf(bytes.subarray(0, half), bytes.subarray(half)).length, events.length, file);
  }
  assert.ok(seen >= 10, `only ${seen} streams were found`);
  context.diagnostic(`${seen} recorded streams`);
});

test('recorded answers are read without loss', { skip }, (context) => {
  let seen = 0;
  for (const file of filesOf('.json')) {
    for (const body of answersOf(JSON.parse(readFileSync(file, 'utf8')))) {
      seen += 1;
      const response = readResponse(Buffer.from(JSON.stringify(body)));
      assert.ok(response !== null, file);
      assertSame(response.blocks, [body.choices[0]?.message ?? {}], file);
      const again = readResponse(writeResponse(response, CONTEXT));
      assert.deepEqual(joined(again?.blocks ?? []), joined(response.blocks), file);
      assert.equal(again?.finish.reason, response.finish.reason, file);
      assert.deepEqual(again?.usage, response.usage, file);
    }
  }
  assert.ok(seen >= 20, `only ${seen} answers were found`);
  context.diagnostic(`${seen} recorded answers`);
});

type Json = Record<string, unknown>;
interface Answer {
  readonly choices: readonly { readonly message?: Json }[];
}

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

/** Null if the stream has another format. */
function deltasOf(bytes: Buffer): Json[] | null {
  const deltas: Json[] = [];
  for (const { data } of new SseSplitter().push(bytes)) {
    if (data?.[0] !== 0x7b) continue;
    try {
      const { choices } = JSON.parse(data.toString());
      if (!Array.isArray(choices)) return null;
      for (const choice of choices) deltas.push(choice.delta ?? {});
    } catch {
      // One recording of another format has broken lines on purpose.
      return null;
    }
  }
  return deltas.length === 0 ? null : deltas;
}

/** The whole answers of this format in a file: the file itself, or the successful exchanges it lists. */
function answersOf(json: unknown): Answer[] {
  const candidates = Array.isArray(json) ? json.map((exchange) => exchange?.response?.body) : [json];
  return candidates.filter((body) => Array.isArray(body?.choices) && body.choices[0]?.message !== undefined);
}

function assertSame(blocks: readonly AnswerBlock[], deltas: readonly Json[], file: string): void {
  const expected = plainReading(deltas);
  assert.equal(textOf(blocks, 'text'), expected.text, file);
  assert.equal(textOf(blocks, 'reasoning'), expected.reasoning, file);
  assert.deepEqual(
    blocks.filter((block) => block.type === 'tool_call').map(({ input }) => input),
    expected.inputs,
    file,
  );
  for (const opaque of expected.opaque) {
    assert.ok(
      blocks.some((block) => block.type === 'reasoning' && (block.signature === opaque || block.encrypted === opaque)),
      `${file}: an opaque value was lost`,
    );
  }
}

/** A second, very simple reading. No recording interleaves calls or omits the index in a call of several pieces. */
function plainReading(deltas: readonly Json[]) {
  let text = '';
  let reasoning = '';
  const inputs: string[] = [];
  const opaque: unknown[] = [];
  for (const delta of deltas) {
    const { content } = delta;
    const parts = Array.isArray(content) ? (content as Json[]) : [];
    text += typeof content === 'string' ? content : parts.map((part) => part['text'] ?? '').join('');
    reasoning += parts
      .flatMap((part) => (part['thinking'] ?? []) as Json[])
      .map((part) => part['text'])
      .join('');
    const details = (delta['reasoning_details'] ?? []) as Json[];
    reasoning +=
      delta['reasoning'] ?? delta['reasoning_content'] ?? details.map((detail) => detail['text'] ?? '').join('');
    opaque.push(...details.flatMap((detail) => [detail['signature'], detail['data']]).filter(Boolean));
    for (const call of (delta['tool_calls'] ?? []) as { function: { name?: string; arguments?: string } }[]) {
      if (call.function.name) inputs.push('');
      inputs.push((inputs.pop() ?? '') + (call.function.arguments ?? ''));
    }
  }
  return { text, reasoning, opaque, inputs: inputs.map((input) => JSON.parse(input || '{}')) };
}

function textOf(blocks: readonly AnswerBlock[], type: 'text' | 'reasoning'): string {
  return blocks.map((block) => (block.type === type ? block.text : '')).join('');
}

function withoutMadeIds(blocks: readonly AnswerBlock[]): AnswerBlock[] {
  return blocks.map((block) => (block.type === 'tool_call' ? { ...block, id: '' } : block));
}

/** In the order of the format: its one text, then the rest. */
function joined(blocks: readonly AnswerBlock[]) {
  return { text: textOf(blocks, 'text'), others: blocks.filter((block) => block.type !== 'text') };
}
