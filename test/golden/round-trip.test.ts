/**
 * Goal: the neutral form holds everything a caller says. Method: a request is read, written in its own format
 * and read again; what differs must be in the table of losses, with a reason. Answers go through the other
 * format and back, and every token must still be there. Recorded requests, no part of the project,
 * come from `TURNPIKE_RECORDINGS`; if they are absent that test says so and is skipped.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { ChatRequest } from '../../src/chat/request.ts';
import type { ChatEvent } from '../../src/chat/response.ts';
import { GatewayError } from '../../src/core/errors.ts';
import { completionTokens, promptTokens, type Usage } from '../../src/core/usage.ts';
import { inboundOf } from '../../src/dialects/contract.ts';
import type { RelayDialect } from '../../src/dialects/dialect.ts';
import type { RelayDialectName } from '../../src/dialects/index.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import { SAMPLING_FIELDS } from '../../src/dialects/interface/write-target.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import { answerFixtures, dialectNames, otherThan, requestFixtures } from './fixtures.ts';
import { type Loss, losses } from './losses.ts';
import { recordedRequests } from './recorded-requests.ts';
import { openTarget } from './targets.ts';
import { peekOf, translateAnswer, translateStream } from './translate.ts';

const folder =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../shared/data/recorded', import.meta.url));
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;
const usedLosses = new Set<Loss>();

for (const name of dialectNames) {
  test(`${name}: a request that is read, written and read again says the same`, () => {
    let seen = 0;
    const lost: string[] = [];
    for (const fixture of requestFixtures(name)) {
      const request = read(relayDialects[name], fixture.request);
      if (request === null) continue;
      seen += 1;
      lost.push(...unnamedLosses(name, request, fixture.name));
    }
    assert.deepEqual(lost, []);
    assert.ok(seen >= 30, `only ${seen} requests were read`);
  });

  test(`${name}: recorded requests survive too`, { skip }, (context) => {
    let seen = 0;
    let refused = 0;
    const lost: string[] = [];
    for (const { file, body } of recordedRequests(folder, name)) {
      const request = read(relayDialects[name], body);
      if (request === null) refused += 1;
      else lost.push(...unnamedLosses(name, request, file));
      seen += 1;
    }
    assert.deepEqual(lost, []);
    assert.ok(seen >= 20, `only ${seen} requests were found`);
    assert.ok(refused <= seen / 4, `${refused} of ${seen} were refused`);
    context.diagnostic(`${seen} recorded requests, ${refused} of them refused`);
  });

  test(`${name}: the reader of answers counts what the meter counts`, () => {
    const dialect = relayDialects[name];
    for (const { name: file, bytes, streamed } of answerFixtures(name)) {
      // An answer that breaks off is charged by the meter alone.
      if (streamed && eventsOf(dialect, bytes).every(({ type }) => type !== 'end')) continue;
      assert.deepEqual(usageOf(dialect, bytes, streamed), meteredUsage(dialect, bytes, streamed), file);
    }
  });

  test(`${name}: every token of an answer is in its translation`, () => {
    const from = relayDialects[name];
    const to = relayDialects[otherThan(name)];
    for (const { name: file, bytes, streamed } of answerFixtures(name)) {
      const before = usageOf(from, bytes, streamed);
      if (before === null || (streamed && translateStream(from, to, bytes).cut)) continue;
      const written = (streamed ? translateStream(from, to, bytes) : translateAnswer(from, to, bytes))?.bytes;
      assert.ok(written !== undefined, file);
      const after = usageOf(to, written, streamed);
      assert.ok(after !== null, `${file}: the usage was lost`);
      assert.deepEqual(sums(after), sums(before), file);
    }
  });
}

test('every listed loss occurs', () => {
  assert.deepEqual(
    losses.filter((loss) => !usedLosses.has(loss)).map(({ reason }) => reason),
    [],
    'nothing is lost there any more: take it out of the table',
  );
});

/** Null for what is refused: another test compares how. */
function read(dialect: RelayDialect, body: unknown): ChatRequest | null {
  try {
    const inbound = inboundOf(dialect, JSON.stringify(body));
    dialect.peek(inbound);
    return dialect.readRequest(inbound);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** What a request loses when its own format writes it again, except the losses in the table. */
function unnamedLosses(format: RelayDialectName, before: ChatRequest, what: string): readonly string[] {
  const { body } = relayDialects[format].writeRequest(before, targetFor(before));
  const after = read(relayDialects[format], JSON.parse(body.toString()));
  if (after === null) return [`${what}: what was written is refused`];
  const unnamed: string[] = [];
  for (const place of differences({ ...before, warnings: [] }, { ...after, warnings: [] }, '')) {
    const loss = losses.find((entry) => entry.format === format && entry.place.test(place));
    if (loss === undefined) unnamed.push(`${what}: ${place}`);
    else usedLosses.add(loss);
  }
  return unnamed;
}

/** A model that takes all that this request says. */
function targetFor({ reasoning }: ChatRequest): WriteTarget {
  const thinking = (reasoning?.budget ?? null) === null ? 'adaptive' : 'budget';
  const quirks = { ...openTarget.quirks, thinking, systemAnywhere: true };
  return { ...openTarget, sampling: SAMPLING_FIELDS, quirks };
}

/** The places at which two values differ, as `turns[1].blocks[0].text`. */
function differences(before: unknown, after: unknown, place: string): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [`${place}.length`];
    return before.flatMap((item, index) => differences(item, after[index], `${place}[${index}]`));
  }
  if (!isRecord(before) || !isRecord(after)) return [place];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differences(before[name], after[name], place === '' ? name : `${place}.${name}`));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function usageOf(dialect: RelayDialect, bytes: Buffer, streamed: boolean): Usage | null {
  if (!streamed) return dialect.readResponse(bytes)?.usage ?? null;
  return eventsOf(dialect, bytes).findLast((event) => event.type === 'end')?.usage ?? null;
}

function eventsOf(dialect: RelayDialect, stream: Buffer): readonly ChatEvent[] {
  const reader = dialect.openReader();
  return [...new SseSplitter().push(stream).flatMap((frame) => reader.frame(frame)), ...reader.end()];
}

function meteredUsage(dialect: RelayDialect, bytes: Buffer, streamed: boolean): Usage | null {
  const meter = dialect.openMeter(peekOf(dialect));
  if (streamed) for (const frame of new SseSplitter().push(bytes)) meter.frame(frame);
  else meter.body(new WholeAnswer(bytes));
  return meter.usage();
}

/** The counters that both formats have. */
function sums(usage: Usage): object {
  return {
    prompt: promptTokens(usage),
    completion: completionTokens(usage),
    cacheRead: usage.cacheReadTokens,
    cacheWrite: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    reasoning: usage.reasoningTokens,
  };
}
