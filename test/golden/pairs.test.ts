/**
 * Goal: a call of any caller's format to a provider of any format says on both sides the same, or reports what it does not. Method: for each
 * pair that the table of dialects makes, the fixtures of the two are translated and judged by invariants, without an expected text.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../src/core/errors.ts';
import { PEEK } from '../../src/dialects/contract-fixture.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
} from '../../src/dialects/index.ts';
import { answerFixtures, callerNames, isBoth, providerNames, requestFixtures } from './fixtures.ts';
import { framesOf } from './framing-of.ts';
import { eventsOf } from './neutral-events.ts';
import { assertTaken } from './provider-rules.ts';
import { type Said, saidIn } from './said.ts';
import { missingSayings } from './sayings.ts';
import { assertStrictStream } from './strict-streams.ts';
import { targetsOf } from './targets.ts';
import { readFixture, readStream, readWhole, writeNeutral, writeStream, writeWhole } from './translate.ts';

const pairs = callerNames.flatMap((from) => providerNames.map((to) => ({ from, to }))).filter(isTranslated);

function isTranslated({ from, to }: { readonly from: CallerDialectName; readonly to: ProviderDialectName }): boolean {
  return String(from) !== String(to);
}

for (const { from, to } of pairs) {
  describe(`${from} to ${to}`, () => {
    test('what a request says is in what the provider gets, or in a warning', () => {
      const lost: string[] = [];
      for (const fixture of requestFixtures(from)) {
        const read = readFixture(fixture);
        if (read.type === 'refused') continue;
        for (const named of targetsOf(to)) {
          const written = writeNeutral(read.request, to, named.target);
          if (written.type === 'refused') continue;
          assertTaken(to, JSON.stringify(written.body));
          const missing = missingSayings(read.request, written, named);
          lost.push(...missing.map((saying) => `${fixture.name} for ${named.name}: ${saying}`));
        }
      }
      assert.deepEqual(lost, []);
    });

    test('an answer says the same to the caller, whole and streamed, or warns', () => {
      for (const { name, bytes, streamed } of answerFixtures(to)) {
        const response = streamed ? null : readWhole(to, bytes);
        if (!streamed && response === null) continue;
        const { events, cut } = response === null ? readStream(to, bytes) : { events: eventsOf(response), cut: false };
        const before = saidIn(events);
        if (cut || before === null) continue;
        const written = writeStream(from, events);
        assertStrictStream(from, written.bytes);
        if (isBoth(from)) {
          const after = saidIn(readStream(from, written.bytes).events);
          assertSame(after, before, written.warnings, `${name}, streamed`);
        }
        if (response === null) continue;
        const whole = writeWhole(from, response);
        const after = isBoth(from) ? readWhole(from, whole.bytes) : null;
        if (after !== null) assertSame(saidIn(eventsOf(after)), before, whole.warnings, `${name}, whole`);
      }
    });

    test('an error in the stream reaches the caller as one, and nothing after it', () => {
      let seen = 0;
      for (const { name, bytes, streamed } of answerFixtures(to)) {
        const { events } = streamed ? readStream(to, bytes) : { events: [] };
        if (!events.some(({ type }) => type === 'error') || !isBoth(from)) continue;
        seen += 1;
        const read = readStream(from, writeStream(from, events).bytes).events.map(({ type }) => type);
        assert.equal(read.at(-1), 'error', `${name}: ${read}`);
        assert.ok(!read.includes('end') && !read.includes('finish'), `${name}: ${read}`);
      }
      assert.ok(seen > 0, `no stream of ${to} has an error`);
    });

    test('a stream that is cut after any frame is never a whole answer, and ends with an error', () => {
      for (const { name, bytes, streamed } of answerFixtures(to)) {
        if (!streamed) continue;
        const frames = framesOf(to, bytes);
        for (let kept = 0; kept < frames.length; kept += 1) {
          const reader = providerDialects[to].openReader();
          const meter = providerDialects[to].openMeter(PEEK);
          const events = frames.slice(0, kept).flatMap((frame) => {
            meter.frame(frame);
            return reader.frame(frame);
          });
          if (meter.state !== 'open') break;
          const sent = writeStream(from, events).bytes;
          const error = callerDialects[from].writeStreamError(new GatewayError('bad_gateway'), 'req_1');
          assert.notEqual(stateOf(from, sent), 'finished', `${name}: whole after ${kept} frames`);
          assert.notEqual(stateOf(from, Buffer.concat([sent, error])), 'finished', `${name}: after ${kept} frames`);
        }
      }
    });
  });
}

/** What the caller reads is what the provider said; a loss has a warning. */
function assertSame(after: Said | null, before: Said, warnings: readonly string[], what: string): void {
  assert.ok(after !== null, `${what}: the caller reads no end`);
  assert.deepEqual(after.calls, before.calls, what);
  assert.equal(after.text, before.text, what);
  // Some formats cannot leave the usage out.
  if (before.usage !== null) assert.deepEqual(after.usage, before.usage, what);
  const isLess = after.reasoning !== before.reasoning || (before.isSealed && !after.isSealed);
  assert.ok(!isLess || warnings.some((warning) => /reasoning|thought/.test(warning)), `${what}: a thought was lost`);
}

/** What a client of the format makes of these bytes; those of a format that nobody reads are not judged. */
function stateOf(caller: CallerDialectName, bytes: Buffer): string {
  if (!isBoth(caller)) return 'open';
  const meter = providerDialects[caller].openMeter(PEEK);
  for (const frame of framesOf(caller, bytes)) meter.frame(frame);
  return meter.state;
}
