/** How a request, and the end of an answer, are translated to the other format, from the fixtures of the golden tests. */
import { anthropicMessages } from '../../src/dialects/anthropic-messages/anthropic-messages.ts';
import type { RelayDialect } from '../../src/dialects/dialect.ts';
import type { RelayDialectName } from '../../src/dialects/index.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import { openaiChat } from '../../src/dialects/openai-chat/openai-chat.ts';
import {
  dialectNames,
  lossyAnswers,
  otherThan,
  type RequestFixture,
  requestFixtures,
} from '../../test/golden/fixtures.ts';
import { targetsOf } from '../../test/golden/targets.ts';
import { type TranslatedRequest, translateAnswer, translateRequest } from '../../test/golden/translate.ts';
import { code, markdownTable } from './markdown-table.ts';

/** Part of the page → Markdown; three parts for requests and two for answers, for each direction. */
export function translationReference(): Readonly<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const from of dialectNames) {
    const lines = requestFixtures(from).map((fixture) => lineOf(fixture, otherThan(from)));
    parts[`${from}-carried`] = lines
      .filter(isCarried)
      .map(({ about }) => `- ${about}`)
      .join('\n');
    parts[`${from}-reported`] = reportedTable(lines);
    parts[`${from}-refused`] = refusedTable(lines);
    parts[`${from}-answers-reported`] = lossesTable(otherThan(from), from);
    parts[`${from}-endings`] = endingsTable(otherThan(from), from);
  }
  return parts;
}

interface Line {
  readonly about: string;
  /** For each kind of model, in the order of `targetsOf`. */
  readonly outcomes: readonly { readonly name: string; readonly outcome: TranslatedRequest }[];
}

function lineOf(fixture: RequestFixture, to: RelayDialectName): Line {
  const outcomes = targetsOf(to).map(({ name, target }) => ({ name, outcome: translateRequest(fixture, to, target) }));
  return { about: fixture.about, outcomes };
}

function isCarried({ outcomes }: Line): boolean {
  return outcomes.every(({ outcome }) => outcome.type === 'written' && outcome.warnings.length === 0);
}

/** One row per request and kind of model; what applies to every model is listed once. */
function reportedTable(lines: readonly Line[]): string {
  const rows: string[][] = [];
  for (const { about, outcomes } of lines) {
    const byModels = new Map<string, string[]>();
    for (const [warning, names] of namesByWarning(outcomes)) {
      const models = whichModels(names, outcomes.length);
      byModels.set(models, [...(byModels.get(models) ?? []), warning]);
    }
    for (const [models, warnings] of byModels) rows.push([about, warnings.join('; '), models]);
  }
  return markdownTable(['the request has', 'the caller is told', 'for'], rows);
}

function namesByWarning(outcomes: Line['outcomes']): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, outcome } of outcomes) {
    if (outcome.type !== 'written') continue;
    for (const warning of outcome.warnings) names.set(warning, [...(names.get(warning) ?? []), name]);
  }
  return names;
}

function refusedTable(lines: readonly Line[]): string {
  const rows: string[][] = [];
  for (const { about, outcomes } of lines) {
    const byMessage = new Map<string, { readonly code: string; readonly names: string[] }>();
    for (const { name, outcome } of outcomes) {
      if (outcome.type !== 'refused') continue;
      const names = byMessage.get(outcome.message)?.names ?? [];
      byMessage.set(outcome.message, { code: outcome.code, names: [...names, name] });
    }
    for (const [message, refusal] of byMessage) {
      rows.push([about, code(refusal.code), message, whichModels(refusal.names, outcomes.length)]);
    }
  }
  return markdownTable(['the request has', 'code', 'the message', 'for'], rows);
}

function whichModels(names: readonly string[], all: number): string {
  return names.length === all ? 'any model' : names.join(', ');
}

/** What a caller of `to` is told about answers of a provider that speaks `from`. */
function lossesTable(from: RelayDialectName, to: RelayDialectName): string {
  const rows = lossyAnswers(from).map(({ about, bytes, showsReasoning }) => {
    const written = translateAnswer(relayDialects[from], relayDialects[to], bytes, showsReasoning);
    return [about ?? '', written?.warnings.join('; ') ?? ''];
  });
  return markdownTable(['the answer has', 'the caller is told'], rows);
}

/** The words each format has for the end of an answer, as its providers send them. */
const ENDINGS: Readonly<Record<RelayDialectName, readonly (string | null)[]>> = {
  [openaiChat.name]: ['stop', 'length', 'tool_calls', 'function_call', 'content_filter', null],
  [anthropicMessages.name]: [
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'refusal',
    'model_context_window_exceeded',
    null,
  ],
};

/** How an answer ends for a caller of `to` when the provider speaks `from`. */
function endingsTable(from: RelayDialectName, to: RelayDialectName): string {
  const rows = ENDINGS[from].map((ending) => [
    ending === null ? 'no reason' : code(ending),
    code(endingOf(to, translated(relayDialects[from], relayDialects[to], answerThatEnds(from, ending)))),
  ]);
  return markdownTable(['the provider says', 'the caller reads'], rows);
}

function translated(from: RelayDialect, to: RelayDialect, answer: object): Answer {
  const written = translateAnswer(from, to, Buffer.from(JSON.stringify(answer)));
  if (written === null) throw new Error(`${from.name}: the answer of this page is none`);
  return JSON.parse(written.bytes.toString());
}

interface Answer {
  readonly stop_reason?: string;
  readonly choices?: readonly { readonly finish_reason: string }[];
}

function endingOf(format: RelayDialectName, answer: Answer): string {
  return (format === anthropicMessages.name ? answer.stop_reason : answer.choices?.[0]?.finish_reason) ?? '';
}

function answerThatEnds(format: RelayDialectName, ending: string | null): object {
  if (format === anthropicMessages.name) {
    const content = ending === 'tool_use' ? [{ type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} }] : [TEXT];
    const usage = { input_tokens: 1, output_tokens: 1 };
    return { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: ending, usage };
  }
  const called = { name: 'tide', arguments: '{}' };
  const message = {
    role: 'assistant',
    content: TEXT.text,
    ...(ending === 'tool_calls' && { tool_calls: [{ id: 'call_1', type: 'function', function: called }] }),
    ...(ending === 'function_call' && { function_call: called }),
  };
  const choices = [{ index: 0, message, finish_reason: ending }];
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm', choices };
}

const TEXT = { type: 'text', text: 'Noon.' };
