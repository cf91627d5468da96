/** Which fields of a block are read, by its type; the rest is reported. */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { isList, isRecord } from '../../kit/request/request-values.ts';
import { warnOfUnknown } from './unknown-fields.ts';

/** Warns of fields that are not read. `where` is the prefix of their names. */
export function warnOfBlock(block: JsonObject, where: string, warnings: Set<string>): void {
  const { type, source, citations } = block;
  if (isServerSide(type)) return;
  warnOfUnknown(block, KNOWN.of(type), where, warnings);
  if (isRecord(source)) warnOfUnknown(source, KNOWN_IN_SOURCE.of(source['type']), `${where}source.`, warnings);
  if (type !== 'text' && isList(citations) && citations.length > 0)
    warnings.add(`${where}citations are not supported by this provider and were left out`);
  if (!isRecord(citations)) return;
  // In a text they are a list, of what was cited; in a document they are a switch.
  const known = type === 'text' ? NONE : KNOWN_IN_CITATIONS;
  warnOfUnknown(citations, known, `${where}citations.`, warnings);
}

/** What the provider's tools did in earlier turns, and the API's own notes. */
export function isServerSide(type: Json | undefined): boolean {
  return typeof type === 'string' && SERVER_SIDE.test(type);
}

const SERVER_SIDE = /^(server_tool_use|mcp_\w+|\w+_tool_result|fallback)$/;

const KNOWN = fieldsByType(['type', 'cache_control'], {
  text: ['text', 'citations'],
  image: ['source', 'transformations'],
  document: ['source', 'title', 'context', 'citations'],
  search_result: ['source', 'title', 'content', 'citations'],
  tool_use: ['id', 'name', 'input', 'caller'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  tool_reference: ['tool_name'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  compaction: ['content'],
  'tool_addition|tool_removal': ['tool'],
});
const KNOWN_IN_SOURCE = fieldsByType(['type'], {
  base64: ['media_type', 'data'],
  url: ['url'],
  text: ['media_type', 'data'],
  content: ['content'],
});
const KNOWN_IN_CITATIONS: ReadonlySet<string> = new Set(['enabled']);
const NONE: ReadonlySet<string> = new Set();
