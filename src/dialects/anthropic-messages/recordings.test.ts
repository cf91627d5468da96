/**
 * Goal: real traffic is read without loss. Method: every recorded request is peeked, every recorded answer metered, and both compared with
 * a plain reading of the same JSON. The recordings are not part of this project; without them this test is skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { NO_USAGE, promptTokens } from '../../core/usage.ts';
import { encodeSse } from '../../wire/frames/sse-splitter.ts';
import { WholeAnswer } from '../kit/relay/whole-answer.ts';
import { framesOf, inboundOf } from './fixtures/read-fixture.ts';
import { AnthropicMessagesMeter } from './meter/meter.ts';
import { peek } from './peek/peek.ts';
import { usualQuirks } from './quirks.ts';
import { openRelay } from './relay/open-relay.ts';
import { patchRequest } from './relay/patch-request.ts';

type Json = Record<string, unknown>;

const folder = resolve(
  process.env['TURNPIKE_RECORDINGS'] ?? join(import.meta.dirname, '../../../../shared/data/recorded'),
);
const present = existsSync(join(folder, 'anthropic'));
const skip = present ? false : `no recordings at ${folder} (TURNPIKE_RECORDINGS)`;

/** Requests that use what this gateway refuses, and the field it names. */
const REFUSED: Record<string, string> = {
  'anthropic_advisor_tool_stream.vcr.json': 'tools',
  'anthropic_mcp_servers_stream.vcr.json': 'mcp_servers',
};

describe('recorded requests', { skip }, () => {
  for (const { name, body } of recordedRequests()) {
    test(`${name} is peeked and relayed`, () => {
      const inbound = inboundOf(body);
      const refusedField = REFUSED[name];
      if (refusedField !== undefined) {
        assert.throws(() => peek(inbound), { code: 'field_not_allowed', param: refusedField });
        return;
      }
      const read = peek(inbound);
      assert.equal(read.model, body['model']);
      assert.equal(read.stream, body['stream'] ?? false);
      assert.equal(read.outputCap, body['max_tokens']);
      assert.equal(read.hasTools, Array.isArray(body['tools']) && body['tools'].length > 0);
      const relayed = patchRequest(inbound, read, {
        model: 'upstream',
        outputCap: null,
        quirks: usualQuirks,
      }).body.toString();
      assert.deepEqual(JSON.parse(relayed), { ...body, model: 'upstream' });
    });
  }
});

describe('recorded streams', { skip }, () => {
  for (const { name, bytes } of recordedStreams()) {
    test(`${name} is metered and relayed without loss`, () => {
      const frames = framesOf(bytes);
      const relay = openRelay(peek(inboundOf({ model: 'm', max_tokens: 1, messages: [1] })), {
        callerModel: 'caller/model',
        cost: () => null,
      });
      const { meter } = relay;
      for (const frame of frames) {
        const relayed = relay.frame(frame);
        if (frame.event !== 'message_start') assert.equal(relayed, frame.bytes);
        if (meter.ended) break;
      }
      const events = frames.map((frame) => JSON.parse(frame.data?.toString() ?? '{}') as Json);
      const end = events.findIndex((event) => event['type'] === 'message_stop');
      const expected = plainReading(events.slice(0, end === -1 ? events.length : end));

      assert.equal(meter.state, 'finished');
      assert.equal(meter.upstreamId, expected.id);
      assert.equal(meter.finishReason, expected.stopReason);
      assert.equal(meter.usageInvalid(), false);
      assert.equal(meter.usage()?.outputTokens, expected.outputTokens);
      assert.equal(promptTokens(meter.usage() ?? NO_USAGE), expected.promptTokens);
      assert.equal(meter.delivered().outputBytes, expected.outputBytes);
    });
  }
});

describe('recorded answers', { skip }, () => {
  for (const { name, body } of recordedAnswers()) {
    test(`${name} is metered without loss`, () => {
      const meter = new AnthropicMessagesMeter();
      meter.body(new WholeAnswer(Buffer.from(JSON.stringify(body))));
      const expected = plainReading([
        { type: 'message_start', message: body },
        { type: 'message_delta', usage: body['usage'] },
      ]);
      assert.equal(meter.state, 'finished');
      assert.equal(meter.upstreamId, body['id']);
      assert.equal(meter.finishReason, body['stop_reason']);
      assert.equal(meter.usage()?.outputTokens, expected.outputTokens);
      assert.equal(promptTokens(meter.usage() ?? NO_USAGE), expected.promptTokens);
      assert.ok(meter.delivered().outputBytes > 0 || body['stop_reason'] === 'refusal');
    });
  }
});

/** A second, slower reading of a stream's events, to compare with: last totals plus the iterations left out of them. */
function plainReading(events: readonly Json[]) {
  const starts = events.findLastIndex((event) => event['type'] === 'message_start');
  const message = (events[starts]?.['message'] ?? {}) as Json;
  let usage = (message['usage'] ?? {}) as Json;
  let stopReason: unknown = null;
  let outputBytes = 0;
  for (const event of events.slice(starts)) {
    const delta = (event['delta'] ?? {}) as Json;
    const block = (event['content_block'] ?? {}) as Json;
    if (event['type'] === 'message_delta') {
      usage = { ...usage, ...(event['usage'] as Json) };
      stopReason = delta['stop_reason'] ?? null;
    }
    const content = delta['type'] === 'compaction_delta' ? delta['content'] : '';
    const input = Object.keys(block['input'] ?? {}).length > 0 ? JSON.stringify(block['input']) : '';
    const redacted = block['type'] === 'redacted_thinking' ? block['data'] : '';
    const whole = block['type'] === 'compaction' ? block['content'] : '';
    const parts = [
      delta['text'],
      delta['thinking'],
      delta['partial_json'],
      content,
      input,
      redacted,
      whole,
      block['text'],
      block['thinking'],
    ];
    for (const part of parts) outputBytes += Buffer.byteLength(typeof part === 'string' ? part : '');
  }
  const iterations = (usage['iterations'] ?? []) as Json[];
  const apart = iterations.filter(({ type }) => type === 'compaction' || type === 'advisor_message');
  const sum = (field: string) => [usage, ...apart].reduce((total, part) => total + Number(part[field] ?? 0), 0);
  return {
    id: message['id'],
    stopReason,
    outputBytes,
    outputTokens: sum('output_tokens'),
    promptTokens: sum('input_tokens') + sum('cache_read_input_tokens') + sum('cache_creation_input_tokens'),
  };
}

function files(subfolder: string, ending: string): string[] {
  if (!present) return [];
  return readdirSync(join(folder, subfolder)).filter((name) => name.endsWith(ending));
}

function readJson(subfolder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, subfolder, name), 'utf8'));
}

/** Exchanges as recorded: a list of requests with their responses. */
function exchanges(): { name: string; request: Json; response: Json }[] {
  return files('anthropic', '.vcr.json').flatMap((name) =>
    (readJson('anthropic', name) as { request: Json; response: Json }[]).map((exchange) => ({ name, ...exchange })),
  );
}

function recordedRequests(): { name: string; body: Json }[] {
  const recorded = exchanges().filter(({ request }) =>
    String(request['uri']).replace(/\?.*/, '').endsWith('/v1/messages'),
  );
  const claudeCode = files('claude-code', '.json').map((name) => ({
    name,
    request: readJson('claude-code', name) as Json,
  }));
  return [...recorded, ...claudeCode].map(({ name, request }) => ({ name, body: request['body'] as Json }));
}

function recordedStreams(): { name: string; bytes: Buffer }[] {
  const raw = files('anthropic', '.sse').map((name) => ({
    name,
    bytes: readFileSync(join(folder, 'anthropic', name)),
  }));
  const payloads = files('anthropic', '.chunks.txt').map((name) => ({ name, bytes: streamOf(name) }));
  return [...raw, ...payloads];
}

/** Turns a file of payloads, one per line, back into a stream. */
function streamOf(name: string): Buffer {
  const lines = readFileSync(join(folder, 'anthropic', name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return Buffer.concat(lines.map((line) => encodeSse(String(JSON.parse(line).type), line)));
}

function recordedAnswers(): { name: string; body: Json }[] {
  const bare = files('anthropic', '.json')
    .filter((name) => !name.endsWith('.vcr.json'))
    .map((name) => ({ name, body: readJson('anthropic', name) as Json }));
  const recorded = exchanges().map(({ name, response }) => ({ name, body: response['body'] as Json }));
  return [...bare, ...recorded].filter(({ body }) => body?.['type'] === 'message');
}
