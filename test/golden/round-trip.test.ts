/**
 * Goal: the neutral form holds everything a caller says, and every token of an answer reaches every caller. Method: a request is read,
 * written in its own format and read again; what differs must be in the table of losses, with a reason. Answers are written for each caller
 * and read again. Recorded requests, no part of the project, come from `TURNPIKE_RECORDINGS`; if they are absent that test says so and is
 * skipped.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { ChatRequest } from '../../src/chat/request.ts';
import { completionTokens, promptTokens, type Usage } from '../../src/core/usage.ts';
import { PEEK } from '../../src/dialects/contract-fixture.ts';
import { type ProviderDialectName, providerDialects } from '../../src/dialects/index.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import { SAMPLING_FIELDS } from '../../src/dialects/interface/write-target.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import {
  answerFixtures,
  type BothName,
  bothNames,
  providerNames,
  type RequestFixture,
  requestFixtures,
} from './fixtures.ts';
import { framesOf } from './framing-of.ts';
import { type Loss, losses } from './losses.ts';
import { recordedRequests } from './recorded-requests.ts';
import { recordings, skip } from './recordings.ts';
import { openTarget } from './targets.ts';
import { readFixture, readStream, readWhole, translateAnswer, translateStream } from './translate.ts';

const usedLosses = new Set<Loss>();

for (const name of bothNames) {
  test(`${name}: a request that is read, written and read again says the same`, () => {
    let seen = 0;
    const lost: string[] = [];
    for (const fixture of requestFixtures(name)) {
      const request = requestOf(fixture);
      if (request === null) continue;
      seen += 1;
      lost.push(...unnamedLosses(name, request, fixture));
    }
    assert.deepEqual(lost, []);
    assert.ok(seen >= 30, `only ${seen} requests were read`);
  });

  test(`${name}: recorded requests survive too`, { skip }, (context) => {
    let seen = 0;
    let refused = 0;
    const lost: string[] = [];
    for (const recorded of recordedRequests(recordings, name)) {
      const request = requestOf(recorded);
      if (request === null) refused += 1;
      else lost.push(...unnamedLosses(name, request, recorded));
      seen += 1;
    }
    assert.deepEqual(lost, []);
    assert.ok(seen >= 20, `only ${seen} requests were found`);
    assert.ok(refused <= seen / 4, `${refused} of ${seen} were refused`);
    context.diagnostic(`${seen} recorded requests, ${refused} of them refused`);
  });
}

for (const from of providerNames) {
  test(`${from}: the reader of answers counts what the meter counts`, () => {
    for (const { name: file, bytes, streamed } of answerFixtures(from)) {
      // An answer that breaks off, or that nobody can read, is charged by the meter alone.
      if (!streamed && readWhole(from, bytes) === null) continue;
      if (streamed && readStream(from, bytes).events.every(({ type }) => type !== 'end')) continue;
      assert.deepEqual(usageOf(from, bytes, streamed), meteredUsage(from, bytes, streamed), file);
    }
  });

  test(`${from}: every token of an answer is in its translation, for every caller`, () => {
    for (const { name: file, bytes, streamed } of answerFixtures(from)) {
      const before = usageOf(from, bytes, streamed);
      if (before === null || (streamed && readStream(from, bytes).cut)) continue;
      for (const to of bothNames) {
        const written = (streamed ? translateStream(from, to, bytes) : translateAnswer(from, to, bytes))?.bytes;
        assert.ok(written !== undefined, file);
        const after = usageOf(to, written, streamed);
        assert.ok(after !== null, `${file} for ${to}: the usage was lost`);
        assert.deepEqual(sums(after, to), sums(before, to), `${file} for ${to}`);
      }
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
function requestOf(fixture: RequestFixture): ChatRequest | null {
  const read = readFixture(fixture);
  return read.type === 'read' ? read.request : null;
}

/** What a request loses when its own format writes it again, except the losses in the table. */
function unnamedLosses(format: BothName, before: ChatRequest, fixture: RequestFixture): readonly string[] {
  const { body } = providerDialects[format].writeRequest(before, targetFor(format, before));
  const after = requestOf({ ...fixture, request: JSON.parse(JSON.stringify(body)) });
  const what = fixture.name;
  if (after === null) return [`${what}: what was written is refused`];
  const unnamed: string[] = [];
  for (const place of differences(withoutOwn(before), withoutOwn(after), '')) {
    const loss = losses.find((entry) => entry.format === format && entry.place.test(place));
    if (loss === undefined) unnamed.push(`${what}: ${place}`);
    else usedLosses.add(loss);
  }
  return unnamed;
}

/** What the format keeps for its own answer is not sent to a provider. */
function withoutOwn({ forAnswer: _own, ...request }: ChatRequest): object {
  return { ...request, warnings: [] };
}

/** A model that takes all that this request says. */
function targetFor(format: BothName, { reasoning }: ChatRequest): WriteTarget {
  const thinking = (reasoning?.budget ?? null) === null ? 'adaptive' : 'budget';
  const usual = providerDialects[format].usualQuirks ?? {};
  const quirks = { ...usual, ...openTarget.quirks, thinking, systemAnywhere: true };
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

function usageOf(format: ProviderDialectName, bytes: Buffer, streamed: boolean): Usage | null {
  if (!streamed) return readWhole(format, bytes)?.usage ?? null;
  return readStream(format, bytes).events.findLast((event) => event.type === 'end')?.usage ?? null;
}

function meteredUsage(format: ProviderDialectName, bytes: Buffer, streamed: boolean): Usage | null {
  const meter = providerDialects[format].openMeter(PEEK);
  if (streamed) for (const frame of framesOf(format, bytes)) meter.frame(frame);
  else meter.body(new WholeAnswer(bytes));
  return meter.usage();
}

/** The counters that a format has. */
function sums(usage: Usage, format: BothName): object {
  return {
    prompt: promptTokens(usage),
    completion: completionTokens(usage),
    cacheRead: usage.cacheReadTokens,
    // Google's caches are written by a call of their own.
    cacheWrite: format === 'gemini' ? 0 : usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    reasoning: usage.reasoningTokens,
  };
}
