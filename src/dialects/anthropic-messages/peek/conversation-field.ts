import type { WatchedField } from '../../../wire/json-document.ts';

/**
 * Whether a nested key matters to the gateway: it is part of the conversation, and not inside an argument of a tool call, where keys are
 * the caller's own.
 */
export function isConversationField(field: WatchedField): boolean {
  return /^(messages|system)\b/.test(field.path) && !/\.input(\.|\[)/.test(field.path);
}
