/** What the translations of answers lose in silence, except what the list without effect and the reports have. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { type AnswerWithoutEffect, answerReports, answersWithoutEffect } from './answers-without-effect.ts';
import type { Choose } from './sample.ts';
import { type Answer, namesOf, type SilentValue, silentValues } from './silent-answers.ts';

export interface NamedAnswer extends Answer {
  readonly name: string;
}

/** Returns a line for each. The entries of the list that occur are added to `used`. */
export function lostOfAnswers(
  from: ProviderDialectName,
  answers: readonly NamedAnswer[],
  choose: Choose,
  used = new Set<AnswerWithoutEffect>(),
): readonly string[] {
  const lost = new Set<string>();
  const chosen = choose(answers.map((answer) => namesOf(from, answer)));
  for (const [at, answer] of answers.entries()) {
    for (const silent of silentValues(from, answer, chosen[at])) {
      if (isKnown(from, silent, used)) continue;
      lost.add(`${silent.place} = ${JSON.stringify(silent.value)?.slice(0, 60)} in ${answer.name}, for ${silent.to}`);
    }
  }
  return [...lost];
}

function isKnown(from: ProviderDialectName, silent: SilentValue, used: Set<AnswerWithoutEffect>): boolean {
  const { place, warnings } = silent;
  const listed = answersWithoutEffect[from].find(({ places, when }) => places.test(place) && (when?.(silent) ?? true));
  if (listed !== undefined) used.add(listed);
  return (
    listed !== undefined ||
    answerReports.some(({ places, warning }) => places.test(place) && warnings.some((text) => warning.test(text)))
  );
}
