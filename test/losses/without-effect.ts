/**
 * What of a request is left out of a translation without a warning, and why that changes nothing. The page about translation is made from
 * this list, and `requests.test.ts` finds no more.
 */
import type { CallerDialectName } from '../../src/dialects/index.ts';
import type { Silence } from './silent-requests.ts';
import { anthropicMessages } from './without-effect/anthropic-messages.ts';
import { gemini } from './without-effect/gemini.ts';
import { openaiChat } from './without-effect/openai-chat.ts';
import { openaiResponses } from './without-effect/openai-responses.ts';

export interface WithoutEffect {
  /** As the page has it. */
  readonly fields: string;
  readonly places: RegExp;
  /** Those providers' formats; all if absent. */
  readonly to?: RegExp;
  readonly when?: (silence: Silence) => boolean;
  readonly why: string;
}

export const withoutEffect: { readonly [Name in CallerDialectName]: readonly WithoutEffect[] } = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
  'openai-responses': openaiResponses,
  gemini: gemini,
};

/** Warnings about something larger than the field itself. */
export const reports: readonly { readonly places: RegExp; readonly warning: RegExp }[] = [
  {
    places: /[Rr]easoning|thinking|thought|output_config|\.(signature|data)$/,
    warning: /^(reasoning|thinking|thoughts?) /,
  },
  { places: /\.anyOf\[\]/, warning: /was loosened to one object/ },
  { places: /^messages\[\]\.content\[\]/, warning: /^blocks of server tools/ },
  { places: /^messages\[\]\.content\[\]/, warning: /^a search_result/ },
  { places: /^(include|top_logprobs)/, warning: /^log probabilities/ },
];
