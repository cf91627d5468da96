/** The fields of a request that are read in place. Readers accept no others, so that the spelling of each is checked. */
import { type RequestFields, requestFields } from '../../kit/peek/request-fields.ts';

/** At the top level. */
export const peekedFields = [
  ...(['model', 'input', 'instructions', 'stream', 'max_output_tokens', 'max_tool_calls', 'tools'] as const),
  ...(['tool_choice', 'text', 'context_management', 'previous_response_id', 'store'] as const),
];
/** In an item, a part and a tool. */
export const peekedInside: readonly string[] = ['type', 'role', 'content', 'output', 'format', 'detail'];

export type PeekedField = (typeof peekedFields)[number];

/** Readers for these fields only. */
export const { present, required, listOf, readFlag, readWholeNumber }: RequestFields<PeekedField> = requestFields;
