/** What of a request in the format `anthropic-messages` is left out of a translation without a warning. */
import type { Silence } from '../silent-requests.ts';
import type { WithoutEffect } from '../without-effect.ts';
import {
  ALWAYS_STRICT,
  CACHES,
  CACHING,
  DEFAULT,
  hasNoTools,
  MODEL,
  NO_TOOLS,
  NOT_SHOWN,
  ONCE,
  ROUTE,
  SNIFFED,
} from './reasons.ts';

export const anthropicMessages: readonly WithoutEffect[] = [
  { fields: '`model`', places: /^model$/, why: MODEL },
  {
    fields: '`models`, `route`, `provider`',
    places: /^(models|route|provider)\b/,
    why: ROUTE,
  },
  {
    fields: '`cache_control`, at any place',
    places: /(^|\.)cache_control(\.ttl)?$/,
    to: CACHING,
    why: CACHES,
  },
  {
    fields: '`caller` of a call by the model itself',
    places: /^messages\[\]\.content\[\]\.caller\b/,
    why: DEFAULT,
  },
  {
    fields: '`source.media_type` of an image or a text, and whether a block is an image or a document',
    places: /\.source\.media_type$|^messages\[\]\.content\[\](\.content\[\])?\.type$/,
    why: SNIFFED,
  },
  {
    fields: '`output_config` of a turn that was answered, and the `output_config.effort` that a turn replaces',
    places: /^(messages\[\]\.)?output_config\b/,
    when: ({ place, request }) => place.startsWith('messages') || hasTurnEffort(request),
    why: 'a later turn decides',
  },
  {
    fields: '`thinking: adaptive` where an effort is given',
    places: /^thinking$/,
    why: ONCE,
    when: ({ value }) => (value as { type?: unknown }).type === 'adaptive',
  },
  {
    fields: 'the `role` of a message without content',
    places: /^messages\[\]\.role$/,
    why: 'an empty message of the assistant is left out',
  },
  {
    fields: '`tool_choice` without tools, `auto`, and `disable_parallel_tool_use` without a choice',
    places: /^tool_choice\b/,
    when: (silence) => hasNoTools(silence) || /"auto"|"none"/.test(JSON.stringify(silence.request['tool_choice'])),
    why: NO_TOOLS,
  },
  {
    fields: '`tools` that `tool_choice` excludes, and those that a turn defines again',
    places: /^tools\b/,
    when: ({ request, place }) =>
      /"type":"none"/.test(JSON.stringify(request['tool_choice'] ?? '')) || place === 'tools',
    why: NOT_SHOWN,
  },
  {
    fields: '`type: object` at the root of a schema',
    places: /^tools\[\]\.input_schema\.type$/,
    why: DEFAULT,
  },
  {
    fields: '`tools[].strict` where a call is required',
    places: /^tools\[\]\.strict$/,
    to: /^gemini$/,
    why: ALWAYS_STRICT,
  },
  {
    fields: '`tools[].eager_input_streaming`',
    places: /^tools\[\]\.eager_input_streaming$/,
    why: 'a hint how to cut an answer into events',
  },
];

function hasTurnEffort({ messages }: Silence['request']): boolean {
  return Array.isArray(messages) && messages.some((message) => message?.output_config !== undefined);
}
