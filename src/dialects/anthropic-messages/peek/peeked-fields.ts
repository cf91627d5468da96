/** The fields of a request that are read in place. Readers accept no others, so that the spelling of each is checked. */
import { type RequestFields, requestFields } from '../../kit/peek/request-fields.ts';

/** At the top level. */
export const peekedFields = [
  ...(['model', 'max_tokens', 'messages', 'system', 'stream', 'tools', 'output_config', 'output_format'] as const),
  ...(['compaction', 'context_management'] as const),
];
/** In a source, and in a tool. */
export const peekedInside: readonly string[] = ['type', 'data', 'media_type', 'max_uses'];

export type PeekedField = (typeof peekedFields)[number];

/** Readers for these fields only. */
export const { present, required, listOf, readFlag, readCount }: RequestFields<PeekedField> = requestFields;
