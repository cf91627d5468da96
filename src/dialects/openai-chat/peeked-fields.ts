/** The fields of a request that are read in place. A reader can be asked for no other, so that each is watched for its spelling. */

/** At the top level. */
export const peekedFields = [
  ...(['model', 'messages', 'stream', 'stream_options', 'max_completion_tokens', 'max_tokens', 'n'] as const),
  ...(['tools', 'functions', 'response_format', 'web_search_options', 'tool_choice', 'extra_body'] as const),
  ...(['prediction', 'chat_template', 'mm_processor_kwargs', 'media_io_kwargs'] as const),
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
