/**
 * Names of tools on the wire. OpenAI's formats accept 64 characters, the Messages API 128, and MCP servers have long names: a longer one is
 * shortened in the request and restored in the answer.
 *
 * https://platform.openai.com/docs/api-reference/chat/create#chat_create-tools
 */

import { fitToolId } from '../../../chat/ids.ts';
import type { Tool } from '../../../chat/request.ts';

const RULE = { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 };

export function wireToolName(name: string): string {
  return fitToolId(name, RULE);
}

/** Name on the wire → name, for those that differ; null if none does. `wireName`: the rule of a format that has another one. */
export function shortenedNames(
  tools: readonly Tool[],
  wireName: (name: string) => string = wireToolName,
): ReadonlyMap<string, string> | null {
  const shortened = new Map<string, string>();
  for (const { name } of tools) {
    const wire = wireName(name);
    if (wire !== name) shortened.set(wire, name);
  }
  return shortened.size === 0 ? null : shortened;
}
