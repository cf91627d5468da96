/** What the golden tests compare: every fixture in the other format, as text that can be read. */
import type { RelayDialectName } from '../../src/dialects/index.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import {
  type AnswerFixture,
  answerFixtures,
  dialectNames,
  otherThan,
  type RequestFixture,
  requestFixtures,
} from './fixtures.ts';
import { targetsOf } from './targets.ts';
import { type TranslatedRequest, translateAnswer, translateRequest, translateStream } from './translate.ts';

/** Path below `expected/` → text. */
export function snapshots(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const from of dialectNames) {
    const to = otherThan(from);
    for (const fixture of requestFixtures(from)) {
      texts.set(`requests/${from}-to-${to}/${fixture.name}.txt`, requestText(fixture, to));
    }
    for (const fixture of answerFixtures(from)) {
      texts.set(`answers/${from}-to-${to}/${fixture.name}.txt`, answerText(fixture, to));
    }
  }
  return texts;
}

export const expectedFolder = new URL('expected/', import.meta.url);

function requestText(fixture: RequestFixture, to: RelayDialectName): string {
  const outcomes = targetsOf(to).map(({ name, target }) => ({
    name,
    text: outcomeText(translateRequest(fixture, to, target)),
  }));
  const same = outcomes.every(({ text }) => text === outcomes[0]?.text);
  const parts = same ? [{ name: 'any model', text: outcomes[0]?.text ?? '' }] : outcomes;
  return `${fixture.about}\n${parts.map(({ name, text }) => `\n--- for ${name}\n${text}`).join('')}`;
}

function outcomeText(outcome: TranslatedRequest): string {
  if (outcome.type === 'refused') return `400 ${outcome.code} at ${outcome.param}\n${outcome.message}\n`;
  const headers = Object.entries(outcome.headers)
    .filter(([name]) => name !== 'accept' && name !== 'content-type')
    .map(([name, value]) => `${name}: ${value}\n`);
  return `${headers.join('')}${JSON.stringify(outcome.body, null, 2)}\n${warningLines(outcome.warnings)}`;
}

function answerText({ from, bytes, streamed, about, showsReasoning }: AnswerFixture, to: RelayDialectName): string {
  const head = about === null ? '' : `${about}\n\n`;
  if (streamed) {
    const { bytes: written, cut, warnings } = translateStream(relayDialects[from], relayDialects[to], bytes);
    const end = cut ? '(The stream was cut here: the gateway ends it with an error.)\n' : '';
    return `${head}${written.toString()}${end}${warningLines(warnings)}`;
  }
  const written = translateAnswer(relayDialects[from], relayDialects[to], bytes, showsReasoning);
  if (written === null) return `${head}(No answer in this format.)\n`;
  const json = JSON.stringify(JSON.parse(written.bytes.toString()), null, 2);
  return `${head}${json}\n${warningLines(written.warnings)}`;
}

function warningLines(warnings: readonly string[]): string {
  return warnings.map((warning) => `warning: ${warning}\n`).join('');
}
