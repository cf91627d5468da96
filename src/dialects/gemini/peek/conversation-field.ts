import type { WatchedField } from '../../../wire/json-document.ts';

/**
 * Whether a nested key is in a part that the model reads, and not inside the arguments of a call or the answer of a function, where keys
 * are the caller's own.
 */
export function isConversationField({ path }: WatchedField): boolean {
  return CONVERSATION.test(path) && !OWN_DATA.test(path);
}

const CONVERSATION =
  /^(?:generateContentRequest\.|generate_content_request\.)?(?:contents|requests\[\]\.content|content|systemInstruction|system_instruction)\b/;
const OWN_DATA = /\.(?:args|response)(?:\.|\[)/;
