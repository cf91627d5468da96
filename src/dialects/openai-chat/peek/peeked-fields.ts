/** The fields of a request that are read in place. Readers accept no others, so that the spelling of each is checked. */
import { type RequestFields, requestFields } from '../../kit/peek/request-fields.ts';

/** The minimum length of an answer, under several servers' names. */
export const minima = ['min_tokens', 'min_new_tokens', 'min_completion_tokens', 'min_length'] as const;

/** At the top level. */
export const peekedFields = [
  ...(['model', 'messages', 'stream', 'stream_options', 'max_completion_tokens', 'max_tokens', 'n'] as const),
  ...(['tools', 'functions', 'response_format', 'web_search_options', 'tool_choice', 'extra_body'] as const),
  ...(['prediction', 'chat_template', 'mm_processor_kwargs', 'media_io_kwargs'] as const),
  ...minima,
];
/** In options, in a tool, and on the way to media. */
export const peekedInside = [
  'include_usage',
  'type',
  'content',
  'images',
  'format',
  'detail',
  'search_context_size',
] as const;

export type PeekedField = (typeof peekedFields)[number] | (typeof peekedInside)[number];

/** Readers for these fields only. */
export const { present, required, listOf, readFlag, readWholeNumber, readCount }: RequestFields<PeekedField> =
  requestFields;
