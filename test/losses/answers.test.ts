/**
 * Goal: what a provider answers reaches every caller, or its loss is reported. Method: in golden answers of every provider's format,
 * whole and streamed, values are changed and removed; what each caller of another format gets, or what is metered, or a warning must then
 * be another. Here each value is judged in one answer, and every answer at least once; `npm run prove -- losses` judges each in all. What
 * nobody misses is in a list, from which docs/reference/translation.md is made. Recorded answers, no part of the project, come from
 * `TURNPIKE_RECORDINGS`; without them their test says so and is skipped.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerFixtures, providerNames } from '../golden/fixtures.ts';
import { recordedAnswers } from '../golden/recorded-answers.ts';
import { recordings, skip } from '../golden/recordings.ts';
import { lostOfAnswers } from './lost-answers.ts';
import { chooseSome } from './sample.ts';

const some = chooseSome(1, 17);
const recorded = skip === false ? recordedAnswers(recordings).answers : [];

for (const from of providerNames) {
  test(`${from}: no value of an answer is left out in silence`, () => {
    const fixtures = answerFixtures(from);
    assert.deepEqual(lostOfAnswers(from, fixtures, some), []);
    assert.ok(fixtures.length >= 20, `only ${fixtures.length} answers`);
  });

  test(`${from}: nor of an answer that a real provider sent`, { skip }, (context) => {
    const answers = recorded
      .filter(({ format }) => format === from)
      .map((answer) => ({ ...answer, name: answer.file }));
    assert.deepEqual(lostOfAnswers(from, answers, some), []);
    assert.ok(answers.length >= 20, `only ${answers.length} answers`);
    context.diagnostic(`${answers.length} recorded answers`);
  });
}
