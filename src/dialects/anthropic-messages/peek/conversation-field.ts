import type { WatchedField } from '../../../wire/json-document.ts';

/**
 * Whether a nested key is the gateway's business: part of the conversation, and not an argument of
 * a tool call, where every key is the caller's own word.
 */
export function isConversationField(field: WatchedField): boolean {
  return /^(messages|system)\b/.test(field.path) && !/\.input(\.|\[)/.test(field.path);
}
