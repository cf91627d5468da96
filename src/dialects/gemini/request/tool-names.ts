/**
 * Names of functions on the wire. This format accepts 64 characters, MCP servers have longer names: those are shortened in the request and
 * restored in the answer.
 *
 * https://ai.google.dev/api/caching#FunctionDeclaration
 */
import { fitToolId } from '../../../chat/ids.ts';

const RULE = { pattern: /^[a-zA-Z_][a-zA-Z0-9_-]*$/, lengthMax: 64 };

export function wireToolName(name: string): string {
  return fitToolId(name, RULE);
}
