/** What a request may lose when its own format writes it again, and why. */
import type { BothName } from './fixtures.ts';

export interface Loss {
  readonly format: BothName;
  /** Where in the neutral form. */
  readonly place: RegExp;
  readonly reason: string;
}

/** What a format's own writer cannot express again although its reader understood it. */
export const losses: readonly Loss[] = [
  {
    format: 'openai-chat',
    place: /^turns\[\d+\]\.blocks\.length$/,
    reason: 'an image in a tool result goes into the message after it: OpenAI takes only text there',
  },
  {
    format: 'openai-chat',
    place: /^turns\[\d+\]\.blocks\[\d+\]\.(isError|content\[0\]\.text)$/,
    reason: 'that a tool failed is said in words; there is no field for it',
  },
  {
    format: 'openai-chat',
    place: /^turns\[\d+\]\.blocks\[\d+\]\.(type|cache)$/,
    reason: 'a refusal in an earlier turn becomes text: few servers know the field',
  },
  {
    format: 'openai-chat',
    place: /^turns\[\d+\]\.blocks\[\d+\]\.(id|callId)$/,
    reason: 'ids of calls above 40 characters are shortened, because OpenAI refuses them',
  },
  {
    format: 'openai-chat',
    place: /^reasoning\.hidden$/,
    reason:
      'the provider is not told to hide thoughts, whose signatures a tool loop needs; the gateway keeps them back',
  },
  {
    format: 'openai-chat',
    place: /^(format|tools\[\d+\])\.strict$/,
    reason: 'a schema that OpenAI would refuse as a strict one is sent as one that is not',
  },
  {
    format: 'openai-chat',
    place: /^oldFunctions$/,
    reason: 'tools are given to a provider in the present way; the caller is answered in its own',
  },
  {
    format: 'anthropic-messages',
    place: /^turns\.length$/,
    reason: 'a conversation must begin with the user, so a first turn is added',
  },
  {
    format: 'anthropic-messages',
    place: /^turns\[\d+\]\.blocks\.length$/,
    reason: "another vendor's thoughts are left out: the signature would be refused",
  },
  {
    format: 'anthropic-messages',
    place: /^turns\[\d+\]\.blocks\[0\]\.text$/,
    reason: 'a turn to be continued may not end in white space',
  },
  {
    format: 'anthropic-messages',
    place: /^reasoning\.hidden$/,
    reason: 'a model that thinks by a budget is not told to hide it; the gateway keeps it from the caller',
  },
  {
    format: 'anthropic-messages',
    place: /^reasoning\.adaptive$/,
    reason: 'an effort alone switches adaptive thinking on, which is how newest models read it anyway',
  },
  {
    format: 'anthropic-messages',
    place: /^(format|tools\[\d+\])\.schema\./,
    reason: 'a strict schema is written as the API takes it: objects closed, limits in words',
  },
  {
    format: 'anthropic-messages',
    place: /^topP$/,
    reason: 'most models take only one of temperature and top_p',
  },
  {
    format: 'anthropic-messages',
    place: /^stop\.length$/,
    reason: 'stop sequences of white space alone are refused',
  },
  {
    format: 'gemini',
    place: /^turns\.length$/,
    reason: 'a conversation must begin with the user, so a first turn is added',
  },
  {
    format: 'gemini',
    place: /^turns\[\d+\]\.blocks(\.length|\[\d+\]\.(type|source|name|context|citations|text))$/,
    reason: 'a document that is text, and what a caller says about a document, are sent as texts',
  },
  {
    format: 'gemini',
    place: /^reasoning(\.effort)?$/,
    reason: 'a model with levels of thinking cannot be told to decide itself, nor to think not at all',
  },
  {
    format: 'openai-responses',
    place: /^system\.length$/,
    reason: 'instructions of several messages are sent as one text, `instructions`',
  },
  {
    format: 'openai-responses',
    place: /^turns\[\d+\]\.blocks\.length$/,
    reason: 'a thought in plain text goes back only to servers of open models',
  },
  {
    format: 'openai-responses',
    place: /^turns\[\d+\]\.blocks\[\d+\]\.(content\[\d+\]\.)?detail$/,
    reason: 'the detail of an image is always said, since some servers require it',
  },
  {
    format: 'openai-responses',
    place: /^turns\[\d+\]\.blocks\[\d+\]\.(isError|content\[0\]\.text)$/,
    reason: 'that a tool failed is said in words; there is no field for it',
  },
  {
    format: 'openai-responses',
    place: /^turns\[\d+\]\.blocks\[\d+\]\.cache$/,
    reason: 'cache marks are not sent: OpenAI caches by itself',
  },
  {
    format: 'openai-responses',
    place: /^reasoning$/,
    reason: 'an empty wish about reasoning, which is what the model does anyway, is not sent',
  },
];
