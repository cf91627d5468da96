/**
 * Names of functions on the wire. This format accepts 64 characters, MCP servers have longer names: those are shortened in the request and
 * restored in the answer.
 *
 * https://ai.google.dev/api/caching#FunctionDeclaration
 */
import { fitToolId } from '../../../chat/ids.ts';
import type { Tool } from '../../../chat/request.ts';

const RULE = { pattern: /^[a-zA-Z_][a-zA-Z0-9_-]*$/, lengthMax: 64 };

export function wireToolName(name: string): string {
  return fitToolId(name, RULE);
}

/** Wire name → name, for those that differ; null if none does. */
export function shortenedNames(tools: readonly Tool[]): ReadonlyMap<string, string> | null {
  const shortened = new Map<string, string>();
  for (const { name } of tools) {
    const wire = wireToolName(name);
    if (wire !== name) shortened.set(wire, name);
  }
  return shortened.size === 0 ? null : shortened;
}
