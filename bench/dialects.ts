/** The formats that are measured, from those of the gateway. */
import { anthropicMessages } from '../src/dialects/anthropic-messages/anthropic-messages.ts';
import { openaiChat } from '../src/dialects/openai-chat/openai-chat.ts';

export const CHAT = openaiChat.name;
export const MESSAGES = anthropicMessages.name;
export type DialectName = typeof CHAT | typeof MESSAGES;
export const dialects: readonly DialectName[] = [CHAT, MESSAGES];

/** The gateway's path for calls. */
export const callerPaths: Readonly<Record<DialectName, string>> = {
  [CHAT]: openaiChat.paths[0].pattern,
  [MESSAGES]: anthropicMessages.paths[0].pattern,
};

/** The provider's path. */
export const backendPaths: Readonly<Record<DialectName, string>> = {
  [CHAT]: openaiChat.usualPaths?.chat ?? '',
  [MESSAGES]: anthropicMessages.usualPaths?.chat ?? '',
};
