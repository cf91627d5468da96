/** The losses of answers that docs/reference/translation.md lists: it is made from the same fixtures. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { callerNames, neutralAnswers, ownAnswers } from './fixtures.ts';
import { readWhole, writeStream, writeWhole } from './translate.ts';

/** Those of answers of one format, for any caller. */
export function listedWarnings(from: ProviderDialectName): ReadonlySet<string> {
  const read = ownAnswers(from)
    .filter(({ streamed }) => !streamed)
    .flatMap(({ bytes }) => readWhole(from, bytes)?.warnings ?? []);
  const written = neutralAnswers().flatMap(({ response, events, ...answer }) =>
    callerNames.flatMap((to) =>
      response === null ? writeStream(to, events, answer).warnings : writeWhole(to, response, answer).warnings,
    ),
  );
  return new Set([...read, ...written].map(withoutWords));
}

/** What it quotes of the answer may differ. */
export function withoutWords(warning: string): string {
  return warning.replaceAll(/"[^"]*"/g, '"…"');
}
