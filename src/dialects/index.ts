/** The wire formats this gateway speaks, by name. To add one: its folder, and a line here. */
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
};
