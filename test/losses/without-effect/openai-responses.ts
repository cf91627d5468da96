/** What of a request in the format `openai-responses` is left out of a translation without a warning. */
import type { WithoutEffect } from '../without-effect.ts';
import {
  ALWAYS_STRICT,
  CACHES,
  CACHING,
  DEFAULT,
  hasNoTools,
  IDENTITY,
  isAllowedTools,
  KIND,
  MODEL,
  NAME_OF_SCHEMA,
  NAMELESS,
  NO_TOOLS,
  NOT_SHOWN,
  ONCE,
  RECORD,
  ROUTE,
} from './reasons.ts';

export const openaiResponses: readonly WithoutEffect[] = [
  { fields: '`model`', places: /^model$/, why: MODEL },
  {
    fields: '`models`, `route`, `provider`',
    places: /^(models|route|provider)\b/,
    why: ROUTE,
  },
  { fields: '`metadata`, `client_metadata`', places: /^(client_)?metadata\b/, why: RECORD },
  {
    fields: '`include` with `reasoning.encrypted_content`',
    places: /^include(\[\])?$/,
    why: 'a translated answer always has them',
  },
  {
    fields: '`reasoning.effort: none` for a model of Bedrock that is not known to think',
    places: /^reasoning\.effort$/,
    to: /^bedrock-converse$/,
    when: ({ value }) => value === 'none',
    why: DEFAULT,
  },
  {
    fields: '`id` and `status` of an item',
    places: /^input\[\]\.(id|status)$/,
    why: IDENTITY,
  },
  {
    fields: '`type` of messages, of parts that are text, of tools and of choices',
    places: /^(input\[\](\.(content|summary)\[\])?|tools\[\]\.tools\[\]|tool_choice\.tools\[\])\.type$/,
    why: KIND,
  },
  {
    fields: '`prompt_cache_breakpoint`, at any place',
    places: /\.prompt_cache_breakpoint$/,
    to: CACHING,
    why: CACHES,
  },
  {
    fields: 'a cache mark on a refusal, and on a text that says nothing',
    places: /\.prompt_cache_breakpoint$/,
    to: /^anthropic-messages$/,
    when: ({ fixture }) => fixture === 'empty-text' || fixture === 'refusal-in-history',
    why: CACHES,
  },
  {
    fields: '`prompt_cache_breakpoint.mode: explicit`',
    places: /\.prompt_cache_breakpoint\.mode$/,
    why: DEFAULT,
  },
  {
    fields: '`detail` of an image',
    places: /\.detail$/,
    to: NAMELESS,
    why: 'a hint; the format has none like it',
  },
  {
    fields: '`safety_identifier` where `user` is the same',
    places: /^(user|safety_identifier)$/,
    when: ({ request }) => request['user'] === request['safety_identifier'],
    why: ONCE,
  },
  {
    fields: '`text.format.name`',
    places: /^text\.format\.name$/,
    to: NAMELESS,
    why: NAME_OF_SCHEMA,
  },
  {
    fields: '`text.format.strict`',
    places: /^text\.format\.strict$/,
    to: NAMELESS,
    why: ALWAYS_STRICT,
  },
  {
    fields: '`tool_choice` and `parallel_tool_calls` without tools, and `auto`',
    places: /^(tool_choice|parallel_tool_calls)$/,
    when: (silence) => hasNoTools(silence) || silence.value === 'auto',
    why: NO_TOOLS,
  },
  {
    fields: '`type: object` at the root of a schema',
    places: /^tools\[\]\.parameters\.type$/,
    why: DEFAULT,
  },
  {
    fields: '`tools` that `tool_choice` excludes',
    places: /^tools\[\]\./,
    when: ({ request }) => request['tool_choice'] === 'none' || isAllowedTools(request['tool_choice']),
    why: NOT_SHOWN,
  },
];
