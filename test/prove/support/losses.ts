/** What `test/losses/*.test.ts` does with a sample, with every value of every golden and recorded request and answer. */
import assert from 'node:assert/strict';
import { answerFixtures, callerNames, providerNames, requestFixtures } from '../../golden/fixtures.ts';
import { recordedAnswers } from '../../golden/recorded-answers.ts';
import { recordedRequests } from '../../golden/recorded-requests.ts';
import { recordings, skip } from '../../golden/recordings.ts';
import { type AnswerWithoutEffect, answersWithoutEffect } from '../../losses/answers-without-effect.ts';
import { lostOfAnswers } from '../../losses/lost-answers.ts';
import { lostOfRequests } from '../../losses/lost-requests.ts';
import { chooseAll } from '../../losses/sample.ts';
import { type WithoutEffect, withoutEffect } from '../../losses/without-effect.ts';

/** Returns figures; throws if something is lost, or if an entry of a list without effect never occurs. */
export function losses(): string {
  const requests = lossesOfRequests();
  const answers = lossesOfAnswers();
  const recorded =
    skip === false ? `${requests.recorded} recorded requests, ${answers.recorded} recorded answers` : skip;
  assert.deepEqual([...requests.lost, ...answers.lost], [], 'left out in silence');
  assert.deepEqual(
    [...requests.unused, ...answers.unused],
    [],
    'it has an effect, or is reported: take it out of the list',
  );
  return `${requests.tried} requests, ${answers.judged} answers, nothing lost in silence; ${recorded}`;
}

function lossesOfRequests() {
  const used = new Set<WithoutEffect>();
  const lost: string[] = [];
  let tried = 0;
  for (const from of callerNames) {
    const found = lostOfRequests(from, requestFixtures(from), chooseAll, { used });
    assert.ok(found.tried >= 10_000, `only ${found.tried} requests in ${from} were read`);
    lost.push(...found.lost);
    tried += found.tried;
  }
  // As in the list: what only a recorded request has is not in it.
  const unused = callerNames.flatMap((from) =>
    namesOf(
      from,
      withoutEffect[from].filter((entry) => !used.has(entry)),
    ),
  );
  let recorded = 0;
  for (const from of skip === false ? callerNames : []) {
    const requests = recordedRequests(recordings, from);
    lost.push(...lostOfRequests(from, requests, chooseAll, { once: true }).lost);
    recorded += requests.length;
  }
  return { lost, tried, unused, recorded };
}

function lossesOfAnswers() {
  const used = new Set<AnswerWithoutEffect>();
  const recordedOnes = skip === false ? recordedAnswers(recordings).answers : [];
  const lost: string[] = [];
  let judged = 0;
  for (const from of providerNames) {
    const fixtures = answerFixtures(from);
    const recorded = recordedOnes.filter(({ format }) => format === from);
    const named = recorded.map((answer) => ({ ...answer, name: answer.file }));
    lost.push(...lostOfAnswers(from, fixtures, chooseAll, used), ...lostOfAnswers(from, named, chooseAll, used));
    judged += fixtures.length;
  }
  // Some of the list occurs in recorded answers alone.
  const unused =
    skip === false
      ? providerNames.flatMap((from) =>
          namesOf(
            from,
            answersWithoutEffect[from].filter((entry) => !used.has(entry)),
          ),
        )
      : [];
  return { lost, judged, unused, recorded: recordedOnes.length };
}

function namesOf(from: string, entries: readonly { readonly fields: string }[]): readonly string[] {
  return entries.map(({ fields }) => `${from}: ${fields}`);
}
