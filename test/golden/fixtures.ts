/** The material of the golden tests: requests and answers in this folder, and the answers that each dialect's own tests use. */
import { readdirSync, readFileSync } from 'node:fs';
import type { RelayDialectName } from '../../src/dialects/index.ts';

/** One request in one format that tests one thing. */
export interface RequestFixture {
  readonly from: RelayDialectName;
  readonly name: string;
  /** What it is about, as words that fit into a list. */
  readonly about: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** An answer as a provider sends it: a stream (`.sse`) or a whole one (`.json`). */
export interface AnswerFixture {
  readonly from: RelayDialectName;
  readonly name: string;
  readonly streamed: boolean;
  readonly bytes: Buffer;
  /** What it is about, as words that fit into a list; null for those of the dialects' own tests. */
  readonly about: string | null;
  /** Whether its caller asked to see the model's thinking. */
  readonly showsReasoning: boolean;
}

export const dialectNames: readonly RelayDialectName[] = ['openai-chat', 'anthropic-messages'];

/** The other of the two formats. */
export function otherThan(name: RelayDialectName): RelayDialectName {
  return name === 'openai-chat' ? 'anthropic-messages' : 'openai-chat';
}

export function requestFixtures(from: RelayDialectName): readonly RequestFixture[] {
  const folder = new URL(`requests/${from}/`, import.meta.url);
  return namesIn(folder, '.json').map((file) => {
    const { about, request } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    return { from, name: file.replace('.json', ''), about, request };
  });
}

/** Whole answers, each made to lose something in translation. */
export function lossyAnswers(from: RelayDialectName): readonly AnswerFixture[] {
  const folder = new URL(`answers/${from}/`, import.meta.url);
  return namesIn(folder, '.json').map((name) => {
    const { about, answer, showsReasoning = true } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    return { from, name, streamed: false, bytes: Buffer.from(JSON.stringify(answer)), about, showsReasoning };
  });
}

export function answerFixtures(from: RelayDialectName): readonly AnswerFixture[] {
  const folder = new URL(`../../src/dialects/${from}/fixtures/`, import.meta.url);
  const own = [...namesIn(folder, '.json'), ...namesIn(folder, '.sse')].map((name) => ({
    from,
    name,
    streamed: name.endsWith('.sse'),
    bytes: readFileSync(new URL(name, folder)),
    about: null,
    showsReasoning: true,
  }));
  return [...own, ...lossyAnswers(from)];
}

function namesIn(folder: URL, ending: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
}
