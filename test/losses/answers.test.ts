/**
 * Goal: what a provider answers reaches every caller, or its loss is reported. Method: in every golden answer of every provider's format,
 * whole and streamed, each value is changed and removed; what each caller of another format gets, or what is metered, or a warning must then
 * be another. What nobody misses is in a list, from which docs/reference/translation.md is made. Recorded answers, no part of the project,
 * come from `TURNPIKE_RECORDINGS`; without them their test says so and is skipped.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { answerFixtures, providerNames } from '../golden/fixtures.ts';
import { recordedAnswers } from '../golden/recorded-answers.ts';
import { recordings, skip } from '../golden/recordings.ts';
import { type AnswerWithoutEffect, answerReports, answersWithoutEffect } from './answers-without-effect.ts';
import { type Answer, type SilentValue, silentValues } from './silent-answers.ts';

const used = new Set<AnswerWithoutEffect>();
const recorded = skip === false ? recordedAnswers(recordings).answers : [];

for (const from of providerNames) {
  test(`${from}: no value of an answer is left out in silence`, () => {
    const fixtures = answerFixtures(from);
    assert.deepEqual(lostOf(from, fixtures), []);
    assert.ok(fixtures.length >= 20, `only ${fixtures.length} answers`);
  });

  test(`${from}: nor of an answer that a real provider sent`, { skip }, (context) => {
    const answers = recorded
      .filter(({ format }) => format === from)
      .map((answer) => ({ ...answer, name: answer.file }));
    assert.deepEqual(lostOf(from, answers), []);
    assert.ok(answers.length >= 20, `only ${answers.length} answers`);
    context.diagnostic(`${answers.length} recorded answers`);
  });
}

test('everything in the list without effect occurs', { skip }, () => {
  const unused = providerNames.flatMap((from) => answersWithoutEffect[from].filter((entry) => !used.has(entry)));
  assert.deepEqual(
    unused.map(({ fields }) => fields),
    [],
    'it has an effect, or is reported: take it out of the list',
  );
});

function lostOf(
  from: ProviderDialectName,
  answers: readonly (Answer & { readonly name: string })[],
): readonly string[] {
  const lost = new Set<string>();
  for (const answer of answers) {
    for (const silent of silentValues(from, answer)) {
      if (isKnown(from, silent)) continue;
      lost.add(`${silent.place} = ${JSON.stringify(silent.value)?.slice(0, 60)} in ${answer.name}, for ${silent.to}`);
    }
  }
  return [...lost];
}

function isKnown(from: ProviderDialectName, silent: SilentValue): boolean {
  const { place, warnings } = silent;
  const listed = answersWithoutEffect[from].find(({ places, when }) => places.test(place) && (when?.(silent) ?? true));
  if (listed !== undefined) used.add(listed);
  return (
    listed !== undefined ||
    answerReports.some(({ places, warning }) => places.test(place) && warnings.some((text) => warning.test(text)))
  );
}
