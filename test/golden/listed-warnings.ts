/** The losses of answers that docs/reference/translation.md lists: it is made from the same fixtures. */
import type { CallerDialectName, ProviderDialectName } from '../../src/dialects/index.ts';
import { callerNames, type NeutralAnswer, neutralAnswers, ownAnswers } from './fixtures.ts';
import { readWhole, writeStream, writeWhole } from './translate.ts';

/** Those of answers of one format, for any caller. */
export function listedWarnings(from: ProviderDialectName): ReadonlySet<string> {
  const read = ownAnswers(from)
    .filter(({ streamed }) => !streamed)
    .flatMap(({ bytes }) => readWhole(from, bytes)?.warnings ?? []);
  const written = neutralAnswers().flatMap((answer) => callerNames.flatMap((to) => lossesOf(answer, to)));
  return new Set([...read, ...written].map(withoutWords));
}

/** What a caller loses of an answer, whole or streamed. */
export function lossesOf(answer: NeutralAnswer, to: CallerDialectName): readonly string[] {
  const whole = answer.response === null ? [] : writeWhole(to, answer.response, answer).warnings;
  return [...new Set([...whole, ...writeStream(to, answer.events, answer).warnings])];
}

/** What it quotes of the answer may differ. */
export function withoutWords(warning: string): string {
  return warning.replaceAll(/"[^"]*"/g, '"…"');
}
