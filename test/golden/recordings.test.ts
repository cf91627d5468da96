/**
 * Goal: what real providers answered reaches every caller, and nothing of it is left out but what docs/reference/translation.md lists. Method:
 * recorded answers that are not part of the project, from `TURNPIKE_RECORDINGS` (skipped with a message if absent), are read and metered,
 * written for every caller, and read again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent } from '../../src/chat/response.ts';
import { PEEK } from '../../src/dialects/contract-fixture.ts';
import { providerDialects } from '../../src/dialects/index.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { bothNames, callerNames, providerNames } from './fixtures.ts';
import { listedWarnings, withoutWords } from './listed-warnings.ts';
import { eventsOf } from './neutral-events.ts';
import { type RecordedAnswer, recordedAnswers } from './recorded-answers.ts';
import { recordings, skip } from './recordings.ts';
import { type Said, saidIn } from './said.ts';
import { assertStrictStream } from './strict-streams.ts';
import { readStream, readWhole, writeStream, writeWhole } from './translate.ts';

const { answers, others } = skip === false ? recordedAnswers(recordings) : { answers: [], others: [] };

for (const from of providerNames) {
  test(`${from}: recorded answers say the same to every caller, and lose only what the page lists`, {
    skip,
  }, (context) => {
    const listed = listedWarnings(from);
    const counts = new Map<string, number>();
    let seen = 0;
    for (const answer of answers.filter(({ format }) => format === from)) {
      const events = eventsIn(answer);
      const before = saidIn(events);
      // An answer that broke off, or failed, is an error in every format; the golden tests show how.
      if (before === null) continue;
      seen += 1;
      for (const to of callerNames) {
        const written = writeStream(to, events);
        const what = `${answer.file} for ${to}`;
        assertStrictStream(to, written.bytes);
        for (const warning of written.warnings) {
          const kind = withoutWords(warning);
          assert.ok(listed.has(kind), `${what}: "${warning}" is not on the page`);
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
        }
      }
      for (const to of bothNames) {
        if (String(to) === from) continue;
        const after: Said | null = saidIn(readStream(to, writeStream(to, events).bytes).events);
        assert.ok(after !== null && (after.isSealed || !before.isSealed), `${answer.file} for ${to}`);
        // The Messages API cannot leave the usage out; some formats seal every thought.
        const usage: Said['usage'] = before.usage === null ? null : after.usage;
        assert.deepEqual({ ...after, usage, isSealed: before.isSealed }, before, `${answer.file} for ${to}`);
      }
    }
    assert.ok(seen >= 5, `only ${seen} answers were found`);
    context.diagnostic(
      `${seen} recorded answers; ${[...counts].map(([kind, count]) => `${count} × ${kind}`).join('; ')}`,
    );
  });
}

test('what is in no format of the table is no answer of a conversation', { skip }, () => {
  assert.deepEqual(
    others.filter((file) => !NOT_CHAT.some((pattern) => pattern.test(file))),
    [],
  );
});

/** Of a stream, or of a whole answer as if it had been streamed. */
function eventsIn({ format, bytes, streamed, file }: RecordedAnswer): readonly ChatEvent[] {
  if (streamed) return readStream(format, bytes).events;
  const response = readWhole(format, bytes);
  const meter = providerDialects[format].openMeter(PEEK);
  meter.body(new WholeAnswer(bytes));
  if (response === null) return [];
  assert.deepEqual(response.usage, meter.usage(), file);
  for (const to of callerNames) assert.doesNotThrow(() => JSON.parse(writeWhole(to, response).bytes.toString()), file);
  const warnings = response.warnings.map((text): ChatEvent => ({ type: 'warning', text }));
  const [start, ...rest] = eventsOf(response);
  return start === undefined ? [] : [start, ...warnings, ...rest];
}

const NOT_CHAT: readonly RegExp[] = [
  /count_tokens/,
  /^claude-code\/request_/,
  /^(cohere|embeddings|openai-completions)\//,
  /^openrouter\/models/,
  // Errors, also of a provider that answered 200 with one.
  /-error(\.1)?\.json|-429-|invalid_response/,
  /compact_messages/,
  // The exchange in which a token is fetched.
  /model_armor.* 0$/,
];
