/** What of a request in the format `openai-chat` is left out of a translation without a warning. */
import type { Silence } from '../silent-requests.ts';
import type { WithoutEffect } from '../without-effect.ts';
import {
  ALWAYS_STRICT,
  CACHES,
  CACHING,
  DEFAULT,
  hasNoTools,
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

export const openaiChat: readonly WithoutEffect[] = [
  { fields: '`model`', places: /^model$/, why: MODEL },
  { fields: '`metadata`', places: /^metadata\b/, why: RECORD },
  {
    fields: '`models`, `route`, `provider`',
    places: /^(models|route|provider)\b/,
    why: ROUTE,
  },
  {
    fields: '`service_tier: auto`, `modalities: text`, `n: 1`',
    places: /^(service_tier|modalities|n)(\[\])?$/,
    why: DEFAULT,
  },
  {
    fields: '`usage.include`, `stream_options.include_usage`',
    places: /^(usage|stream_options)(\.include(_usage)?)?$/,
    why: 'the gateway counts, and reports to the caller what it asked for',
  },
  {
    fields: '`audio`',
    places: /^audio$/,
    why: 'it is about an answer in speech; asking for one is refused',
  },
  {
    fields: 'the larger of `max_tokens` and `max_completion_tokens`',
    places: /^max_(completion_)?tokens$/,
    when: ({ request }) => 'max_tokens' in request && 'max_completion_tokens' in request,
    why: 'the smaller one is kept',
  },
  {
    fields:
      '`messages[].reasoning`, `messages[].reasoning_content` where `reasoning_details` are given, and `reasoning_details[].index`',
    places: /^messages\[\]\.reasoning(_content|_details\[\]\.index)?$/,
    why: ONCE,
  },
  {
    fields:
      '`reasoning.enabled` and the effort `medium` where reasoning is on, and `reasoning_effort` where `reasoning.effort` is the same',
    places: /^reasoning(\.enabled|_effort|\.effort)?$/,
    when: ({ request, place, value }) => place === 'reasoning.enabled' || sameEffort(request) || isUsual(value),
    why: ONCE,
  },
  {
    fields: 'the `role` of a message without content',
    places: /^messages\[\]\.role$/,
    why: 'an empty message of the assistant is left out',
  },
  {
    fields: '`type` of tools, of calls and of choices, `index` of calls',
    places:
      /^messages\[\]\.tool_calls\[\]\.index$|^(messages\[\]\.tool_calls|tools|tool_choice\.allowed_tools\.tools)\[\]\.type$|^tool_choice\.type$/,
    why: KIND,
  },
  {
    fields: '`tool_choice`, `function_call` and `parallel_tool_calls` without tools, and `auto`',
    places: /^(tool_choice|function_call|parallel_tool_calls)$/,
    when: (silence) => hasNoTools(silence) || silence.value === 'auto',
    why: NO_TOOLS,
  },
  {
    fields: '`tools` that `tool_choice` excludes',
    places: /^tools\[\]\.function\b/,
    when: ({ request }) => request['tool_choice'] === 'none' || isAllowedTools(request['tool_choice']),
    why: NOT_SHOWN,
  },
  {
    fields: '`type: object` at the root of a schema',
    places: /^tools\[\]\.function\.parameters\.type$/,
    why: DEFAULT,
  },
  {
    fields: '`tools[].function.strict` where a call is required',
    places: /^tools\[\]\.function\.strict$/,
    to: /^gemini$/,
    why: ALWAYS_STRICT,
  },
  {
    fields: '`cache_control`, `prompt_cache_breakpoint`, at any place',
    places: /(^|\.)(cache_control(\.ttl)?|prompt_cache_breakpoint)$/,
    to: CACHING,
    why: CACHES,
  },
  {
    fields: '`cache_control.ttl: 5m` of a tool',
    places: /^tools\[\]\.cache_control\.ttl$/,
    to: /^anthropic-messages$/,
    when: ({ value }) => value === '5m',
    why: DEFAULT,
  },
  {
    fields: '`prompt_cache_breakpoint` next to `cache_control`',
    places: /\.(cache_control|prompt_cache_breakpoint)$/,
    to: /^anthropic-messages$/,
    when: ({ request }) =>
      /"cache_control".*"prompt_cache_b|"prompt_cache_b.*"cache_control"/.test(JSON.stringify(request)),
    why: ONCE,
  },
  {
    fields: '`prompt_cache_breakpoint.mode: explicit`',
    places: /\.prompt_cache_breakpoint\.mode$/,
    why: DEFAULT,
  },
  {
    fields: '`image_url.detail`',
    places: /\.image_url\.detail$/,
    to: NAMELESS,
    why: 'a hint; the format has none like it',
  },
  {
    fields: '`response_format.json_schema.name`',
    places: /^response_format\.json_schema\.name$/,
    to: NAMELESS,
    why: NAME_OF_SCHEMA,
  },
  {
    fields: '`response_format.json_schema.strict`',
    places: /^response_format\.json_schema\.strict$/,
    to: NAMELESS,
    why: ALWAYS_STRICT,
  },
];

function sameEffort(request: Silence['request']): boolean {
  const { effort } = (request['reasoning'] ?? {}) as { effort?: unknown };
  return effort !== undefined && effort === request['reasoning_effort'];
}

/** Nothing but a switch, or the effort that a budget stands for if there is none. */
function isUsual(value: unknown): boolean {
  return value === 'medium' || JSON.stringify(value) === '{"enabled":true}';
}
