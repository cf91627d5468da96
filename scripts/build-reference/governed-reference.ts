/** The governed fields of each dialect, from the tables that requests are checked with. */
import { governedFields as ofAnthropicMessages } from '../../src/dialects/anthropic-messages/peek/governed-fields.ts';
import { governedFields as ofGemini } from '../../src/dialects/gemini/peek/governed-fields.ts';
import type { GovernedField } from '../../src/dialects/kit/peek/governed-field.ts';
import type { LookedName } from '../../src/dialects/kit/peek/looked-field.ts';
import { governedFields as ofOpenAiChat } from '../../src/dialects/openai-chat/peek/governed-fields.ts';
import { governedFields as ofOpenAiResponses } from '../../src/dialects/openai-responses/peek/governed-fields.ts';
import { code, codeList, markdownTable } from './markdown-table.ts';

export function governedByOpenAiChat(): string {
  return markdownTable(
    ['field', 'passes', 'any other value is refused because', 'instead'],
    ofOpenAiChat.map(({ name, passes, reason, remedy, looked }) => [
      code(name),
      looked?.passes ?? codeList(passes.map((value) => JSON.stringify(value))),
      reason,
      remedy,
    ]),
  );
}

export function governedByAnthropicMessages(): string {
  return markdownTable(
    ['field', 'passes', 'any other value is refused because'],
    ofAnthropicMessages.map(({ name, passes, reason, looked }) => [
      code(name),
      looked?.passes ?? codeList(passes),
      reason,
    ]),
  );
}

export function governedByOpenAiResponses(): string {
  return withRemedies(ofOpenAiResponses);
}

export function governedByGemini(): string {
  return withRemedies(ofGemini);
}

function withRemedies(fields: readonly (GovernedField & LookedName)[]): string {
  return markdownTable(
    ['field', 'passes', 'any other value is refused because', 'instead'],
    fields.map(({ name, passes, reason, remedy, looked }) => [
      code(name),
      looked?.passes ?? codeList(passes.map((value) => JSON.stringify(value))),
      reason,
      remedy,
    ]),
  );
}
