/** What a translated call changes, from the fixtures of the golden tests: each format's own steps, so that no pair of formats is listed. */
import type { CallerDialectName, ProviderDialectName } from '../../src/dialects/index.ts';
import { endingWords } from '../../test/golden/ending-words.ts';
import {
  callerNames,
  neutralAnswers,
  neutralRequests,
  ownAnswers,
  providerNames,
  requestFixtures,
} from '../../test/golden/fixtures.ts';
import { lossesOf } from '../../test/golden/listed-warnings.ts';
import { targetsOf } from '../../test/golden/targets.ts';
import { readFixture, readWhole, writeNeutral, writeWhole } from '../../test/golden/translate.ts';
import { answersWithoutEffect } from '../../test/losses/answers-without-effect.ts';
import { withoutEffect } from '../../test/losses/without-effect.ts';
import { code, codeList, markdownTable } from './markdown-table.ts';
import { type Line, lossTables, verdict } from './translation/outcomes.ts';
import { answerPlaces, requestPlaces } from './translation/places.ts';

/** Part of the page → Markdown. A part has all dialects of a role, with a heading for each. */
export function translationReference(): Readonly<Record<string, string>> {
  return {
    pairs: pairsTable(),
    requests: requestsTable(),
    'request-places': requestPlaces(),
    'answer-places': answerPlaces(),
    endings: providerNames.map(endingsTable).join('\n\n'),
    callers: callerNames.map(callerPart).join('\n\n'),
    providers: providerNames.map(providerPart).join('\n\n'),
    'without-effect': withoutEffectTable(),
    'answers-without-effect': answersWithoutEffectTable(),
  };
}

/** What of a request is left out without a warning; a test finds no more. */
function withoutEffectTable(): string {
  const all = callerNames.flatMap((from) => withoutEffect[from].map((entry) => ({ from, ...entry })));
  const rows = all.map(({ from, fields, to, why }) => {
    const formats = providerNames.filter((name) => String(name) !== from && (to?.test(name) ?? true));
    const isAny = formats.length === providerNames.filter((name) => String(name) !== from).length;
    return [code(from), fields, isAny ? 'any' : codeList(formats), why];
  });
  return markdownTable(['the caller speaks', 'the field', 'for providers of', 'because'], rows);
}

/** The same of an answer. */
function answersWithoutEffectTable(): string {
  const rows = providerNames.flatMap((from) =>
    answersWithoutEffect[from].map(({ fields, why }) => [code(from), fields, why]),
  );
  return markdownTable(['the provider speaks', 'the field', 'because'], rows);
}

/** Which two lists concern a call. */
function pairsTable(): string {
  const rows = callerNames.map((from) => [
    code(from),
    ...providerNames.map((to) =>
      String(from) === String(to)
        ? '[relayed](relay-edits.md)'
        : `[caller](#callers-of-${from}), [provider](#providers-of-${to})`,
    ),
  ]);
  return markdownTable(['your client speaks', ...providerNames.map((to) => `the provider speaks ${code(to)}`)], rows);
}

/** What becomes of each request of the neutral form; those that every format carries are named below the table. */
function requestsTable(): string {
  const columns = providerNames.map((to) => writtenLines(to).map(verdict));
  const lines = neutralRequests().map(({ about }, index) => [about, ...columns.map((column) => column[index] ?? '')]);
  const carried = lines.filter(isCarried);
  const losing = lines.filter((line) => !isCarried(line));
  const table = markdownTable(['the request has', ...providerNames.map(code)], losing);
  return `${table}\n\nCarried by every format: ${carried.map(([about]) => about).join('; ')}.`;
}

function isCarried([_about, ...verdicts]: readonly string[]): boolean {
  return verdicts.every((each) => each === 'carried');
}

function writtenLines(to: ProviderDialectName): readonly Line[] {
  return neutralRequests().map(({ about, request }) => ({
    about,
    outcomes: targetsOf(to).map(({ name, target }) => {
      const written = writeNeutral(request, to, target);
      return written.type === 'refused'
        ? { name, refused: written, warnings: [] }
        : { name, refused: null, warnings: written.warnings };
    }),
  }));
}

function callerPart(from: CallerDialectName): string {
  const requests = requestFixtures(from).map((fixture): Line => {
    const read = readFixture(fixture);
    const outcome =
      read.type === 'refused'
        ? { name: '', refused: read, warnings: [] }
        : { name: '', refused: null, warnings: read.request.warnings };
    return { about: fixture.about, outcomes: [outcome] };
  });
  const answers = neutralAnswers().map((answer): Line => {
    return { about: answer.about, outcomes: [{ name: '', refused: null, warnings: lossesOf(answer, from) }] };
  });
  return chapter(`Callers of ${code(from)}`, [lossTables(requests, 'request'), lossTables(answers, 'answer')]);
}

function providerPart(to: ProviderDialectName): string {
  const answers = ownAnswers(to)
    .filter(({ streamed }) => !streamed)
    .map(({ about, bytes }): Line => {
      const warnings = readWhole(to, bytes)?.warnings ?? [];
      return { about: about ?? '', outcomes: [{ name: '', refused: null, warnings }] };
    });
  return chapter(`Providers of ${code(to)}`, [lossTables(writtenLines(to), 'request'), lossTables(answers, 'answer')]);
}

function chapter(title: string, parts: readonly string[]): string {
  const filled = parts.filter((part) => part !== '');
  return [`### ${title}`, ...(filled.length === 0 ? ['Nothing.'] : filled)].join('\n\n');
}

/** How an answer of a provider ends for each caller. */
function endingsTable(from: ProviderDialectName): string {
  const { words = [], answerThatEnds = () => ({}) } = endingWords[from] ?? {};
  const rows = words.map((word) => {
    const response = readWhole(from, Buffer.from(JSON.stringify(answerThatEnds(word))));
    if (response === null) throw new Error(`${from}: the answer of this page is none`);
    const read = callerNames.map((to) => endingIn(JSON.parse(writeWhole(to, response).bytes.toString())));
    return [word === null ? 'no reason' : code(word), ...read.map(code)];
  });
  return markdownTable([`a provider of ${code(from)} says`, ...callerNames.map((to) => `${code(to)} reads`)], rows);
}

/** The word for the end in an answer of any format: the fields are named alike in none of them. */
function endingIn(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return '';
  for (const [name, value] of Object.entries(answer)) {
    if (/^(stop_reason|finish_reason|finishReason|status)$/.test(name) && typeof value === 'string') return value;
    const below = endingIn(value);
    if (below !== '') return below;
  }
  return '';
}
