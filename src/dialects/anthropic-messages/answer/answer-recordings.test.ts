/**
 * Goal: real answers are read without loss. Method: every recorded stream and answer is read, and its text and arguments compared with a
 * plain reading of the same JSON. The recordings are not part of this project; without them this test is skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import type { ChatEvent } from '../../../chat/response.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { framesOf } from '../fixtures/read-fixture.ts';
import { parseStream, readStream, writeStream } from './answer-fixture.ts';
import { readResponse } from './read-response.ts';

type Json = Record<string, unknown>;

const folder = resolve(
  process.env['TURNPIKE_RECORDINGS'] ?? join(import.meta.dirname, '../../../../../shared/data/recorded'),
);
const present = existsSync(join(folder, 'anthropic'));
const skip = present ? false : `no recordings at ${folder} (TURNPIKE_RECORDINGS)`;

/** It starts again in the middle, which no reader can repair. */
const BROKEN: ReadonlySet<string> = new Set(['anthropic/spliced-message-start.chunks.txt']);

describe('recorded streams', { skip }, () => {
  for (const { name, bytes } of recordedStreams()) {
    test(`${name} is read without loss`, () => {
      const events = readStream(bytes);
      if (BROKEN.has(name)) {
        assert.equal(events.at(-1)?.type, 'error');
        return;
      }
      assert.deepEqual(partsOf(events), plainStream(bytes));
      assert.equal(events.at(-1)?.type, 'end');
    });

    test(`${name} is the same when written and read again`, () => {
      const events = readStream(bytes);
      if (BROKEN.has(name)) return;
      assert.deepEqual(partsOf(readStream(writeStream(events))), partsOf(events));
      assert.equal(parseStream(writeStream(events)).at(-1)?.type, 'message_stop');
    });
  }
});

describe('recorded answers', { skip }, () => {
  for (const { name, body } of recordedAnswers()) {
    test(`${name} is read without loss`, () => {
      const response = readResponse(Buffer.from(JSON.stringify(body)));
      assert.ok(response !== null);
      const read = { text: '', thinking: '', signatures: '', arguments: '', tools: [] as unknown[] };
      for (const block of response.blocks) {
        if (block.type === 'text') read.text += block.text;
        if (block.type === 'reasoning') read.thinking += block.text;
        if (block.type === 'reasoning') read.signatures += block.signature ?? block.encrypted ?? '';
        if (block.type === 'tool_call') read.arguments += JSON.stringify(block.input);
        if (block.type === 'tool_call') read.tools.push(block.name);
      }
      assert.deepEqual(read, plainAnswer(body));
      assert.equal(response.finish.native, body['stop_reason']);
      assert.notEqual(response.finish.reason, 'blank');
    });
  }
});

function partsOf(events: readonly ChatEvent[]) {
  const parts = { text: '', thinking: '', signatures: '', arguments: '', tools: [] as unknown[] };
  for (const event of events) {
    if (event.type === 'text') parts.text += event.text;
    if (event.type === 'reasoning') parts.thinking += event.text;
    if (event.type === 'signature') parts.signatures += event.signature;
    if (event.type === 'arguments') parts.arguments += event.json;
    if (event.type !== 'block_start') continue;
    if (event.block.type === 'tool_call') parts.tools.push(event.block.name);
    if (event.block.type === 'reasoning') parts.signatures += event.block.encrypted ?? '';
  }
  return parts;
}

function plainStream(bytes: Buffer) {
  const parts = { text: '', thinking: '', signatures: '', arguments: '', tools: [] as unknown[] };
  let kind: unknown = null;
  for (const frame of framesOf(bytes)) {
    const event = JSON.parse(frame.data?.toString() ?? '{}') as { delta?: Json; content_block?: Json };
    const { delta = {}, content_block: block } = event;
    if (block !== undefined) kind = block['type'];
    if (block?.['type'] === 'tool_use') parts.tools.push(block['name']);
    if (kind === 'tool_use' && Object.keys(block?.['input'] ?? {}).length > 0)
      parts.arguments += JSON.stringify(block?.['input']);
    if (kind === 'tool_use') parts.arguments += delta['partial_json'] ?? '';
    parts.text += delta['text'] ?? (kind === 'text' ? (block?.['text'] ?? '') : '');
    parts.thinking += String(delta['thinking'] ?? '');
    parts.signatures += String(delta['signature'] ?? (kind === 'redacted_thinking' ? (block?.['data'] ?? '') : ''));
  }
  return parts;
}

function plainAnswer(body: Json) {
  const blocks = body['content'] as Json[];
  const join = (type: string, field: string) =>
    blocks.map((block) => (block['type'] === type ? block[field] : '')).join('');
  const tools = blocks.filter((block) => block['type'] === 'tool_use');
  return {
    text: join('text', 'text'),
    thinking: join('thinking', 'thinking'),
    signatures: join('thinking', 'signature') + join('redacted_thinking', 'data'),
    arguments: tools.map((block) => JSON.stringify(block['input'])).join(''),
    tools: tools.map((block) => block['name']),
  };
}

function files(ending: string): string[] {
  if (!present) return [];
  return ['anthropic', 'claude-code', 'bedrock']
    .filter((subfolder) => existsSync(join(folder, subfolder)))
    .flatMap((subfolder) => readdirSync(join(folder, subfolder)).map((name) => `${subfolder}/${name}`))
    .filter((name) => name.endsWith(ending));
}

function recordedStreams(): { name: string; bytes: Buffer }[] {
  const raw = files('.sse').map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const payloads = files('.chunks.txt').map((name) => ({ name, bytes: streamOfLines(name) }));
  return [...raw, ...payloads].flatMap(({ name, bytes }) => streamsIn(bytes).map((bytes) => ({ name, bytes })));
}

/** A file may contain several streams, one after the other. */
function streamsIn(bytes: Buffer): Buffer[] {
  const streams: Buffer[][] = [[]];
  for (const frame of framesOf(bytes)) {
    streams.at(-1)?.push(frame.bytes);
    if (frame.event === 'message_stop') streams.push([]);
  }
  return streams.map((frames) => Buffer.concat(frames)).filter((stream) => stream.includes('"message_start"'));
}

/** Turns a file of payloads, one per line, back into a stream. */
function streamOfLines(name: string): Buffer {
  const lines = readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return Buffer.concat(lines.map((line) => encodeSse(String(JSON.parse(line).type), line)));
}

/** Whole answers in this format, alone or in an exchange. */
function recordedAnswers(): { name: string; body: Json }[] {
  const found = files('.json').flatMap((name) => {
    const content = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json | { response?: Json }[];
    const bodies = Array.isArray(content) ? content.map(({ response }) => response?.['body'] as Json) : [content];
    return bodies.map((body) => ({ name, body }));
  });
  return found.filter(({ body }) => body?.['type'] === 'message');
}
