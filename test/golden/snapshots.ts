/** What the golden tests compare: every step of every dialect, as text that can be read. A new dialect adds its own lines to each list. */
import type { ChatEvent } from '../../src/chat/response.ts';
import type { CallerDialectName, ProviderDialectName } from '../../src/dialects/index.ts';
import {
  type AnswerFixture,
  answerFixtures,
  callerNames,
  type NeutralAnswer,
  type NeutralRequest,
  neutralAnswers,
  neutralRequests,
  providerNames,
  type RequestFixture,
  requestFixtures,
} from './fixtures.ts';
import { indented } from './indented.ts';
import { shortFinish, shortRequest, shortResponse, shortUsage } from './short-form.ts';
import { targetsOf } from './targets.ts';
import {
  type Refused,
  readFixture,
  readStream,
  readWhole,
  type Written,
  writeNeutral,
  writeStream,
  writeWhole,
} from './translate.ts';

/** Path below `expected/` → text. */
export function snapshots(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const from of callerNames) {
    for (const fixture of requestFixtures(from))
      texts.set(`requests-read/${from}/${fixture.name}.txt`, readText(fixture));
  }
  const requests = neutralRequests();
  for (const to of providerNames) {
    for (const each of requests) texts.set(`requests-written/${to}/${each.name}.txt`, writtenText(each, to));
    for (const fixture of answerFixtures(to)) texts.set(`answers-read/${to}/${fixture.name}.txt`, answerText(fixture));
  }
  const answers = neutralAnswers();
  for (const to of callerNames) {
    for (const answer of answers) texts.set(`answers-written/${to}/${answer.name}.txt`, writtenAnswerText(answer, to));
  }
  return texts;
}

export const expectedFolder = new URL('expected/', import.meta.url);

/** A caller's request in the neutral form. */
function readText(fixture: RequestFixture): string {
  const read = readFixture(fixture);
  return `${fixture.about}\n\n${read.type === 'refused' ? refusalText(read) : `${indented(shortRequest(read.request))}\n`}`;
}

/** A neutral request in a provider's format. */
function writtenText({ about, request }: NeutralRequest, to: ProviderDialectName): string {
  const outcomes = targetsOf(to).map(({ name, target }) => ({
    name,
    text: outcomeText(writeNeutral(request, to, target)),
  }));
  const same = outcomes.every(({ text }) => text === outcomes[0]?.text);
  const parts = same ? [{ name: 'any model', text: outcomes[0]?.text ?? '' }] : outcomes;
  return `${about}\n${parts.map(({ name, text }) => `\n--- for ${name}\n${text}`).join('')}`;
}

function outcomeText(outcome: Written | Refused): string {
  if (outcome.type === 'refused') return refusalText(outcome);
  const headers = Object.entries(outcome.headers)
    .filter(([name]) => name !== 'accept' && name !== 'content-type')
    .map(([name, value]) => `${name}: ${value}\n`);
  const stop = outcome.stop.length === 0 ? '' : `(The gateway ends the answer at ${JSON.stringify(outcome.stop)}.)\n`;
  return `${headers.join('')}${indented(outcome.body)}\n${stop}${warningLines(outcome.warnings)}`;
}

function refusalText({ code, param, message }: Refused): string {
  return `400 ${code} at ${param}\n${message}\n`;
}

/** A provider's answer in the neutral form. */
function answerText({ from, bytes, streamed, about }: AnswerFixture): string {
  const head = about === null ? '' : `${about}\n\n`;
  if (streamed) {
    const { events, cut } = readStream(from, bytes);
    const end = cut ? '(The stream was cut here: the gateway ends it with an error.)\n' : '';
    return `${head}${events.map((event) => `${JSON.stringify(eventLine(event))}\n`).join('')}${end}`;
  }
  const response = readWhole(from, bytes);
  return response === null ? `${head}(No answer in this format.)\n` : `${head}${indented(shortResponse(response))}\n`;
}

function eventLine(event: ChatEvent): object {
  switch (event.type) {
    case 'start':
    case 'end':
      return { ...event, usage: event.usage === null ? null : shortUsage(event.usage) };
    case 'finish':
      return { type: 'finish', finish: shortFinish(event.finish) };
    case 'error':
      return { type: 'error', code: event.error.code, message: event.error.message };
    default:
      return event;
  }
}

/** A neutral answer in a caller's format. */
function writtenAnswerText({ about, response, events, showsReasoning }: NeutralAnswer, to: CallerDialectName): string {
  const streamed = writeStream(to, events, { showsReasoning });
  const parts = [`${about}\n`];
  if (response !== null) {
    const whole = writeWhole(to, response, { showsReasoning });
    parts.push(`--- whole\n${indented(JSON.parse(whole.bytes.toString()))}\n${warningLines(whole.warnings)}`);
  }
  parts.push(`--- streamed\n${streamed.bytes}${warningLines(streamed.warnings)}`);
  return parts.join('\n');
}

function warningLines(warnings: readonly string[]): string {
  return warnings.map((warning) => `warning: ${warning}\n`).join('');
}
