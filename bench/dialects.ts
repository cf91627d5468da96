/** The formats that are measured, from those of the gateway. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicMessages } from '../src/dialects/anthropic-messages/anthropic-messages.ts';
import { gemini } from '../src/dialects/gemini/gemini.ts';
import { openaiChat } from '../src/dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../src/dialects/openai-responses/openai-responses.ts';

export const CHAT = openaiChat.name;
export const MESSAGES = anthropicMessages.name;
export const RESPONSES = openaiResponses.name;
export const GEMINI = gemini.name;
export type DialectName = typeof CHAT | typeof MESSAGES | typeof RESPONSES | typeof GEMINI;
export const dialects: readonly DialectName[] = [CHAT, MESSAGES, RESPONSES, GEMINI];

/** Those that callers of another checkout may speak. */
export function dialectsOf(checkout: string): readonly DialectName[] {
  return dialects.filter((name) => existsSync(join(checkout, 'src', 'dialects', name, 'answer', 'stream-writer.ts')));
}

/** What a path may depend on. */
export interface Asked {
  readonly model: string;
  readonly stream: boolean;
}

/** The gateway's path for calls. */
export function callerPath(dialect: DialectName, asked: Asked): string {
  return dialect === GEMINI ? geminiPath(asked) : CALLER_PATHS[dialect];
}

/** The provider's path. */
export function backendPath(dialect: DialectName, asked: Asked): string {
  return dialect === GEMINI ? geminiPath(asked) : BACKEND_PATHS[dialect];
}

type Plain = Exclude<DialectName, typeof GEMINI>;

const CALLER_PATHS: Readonly<Record<Plain, string>> = {
  [CHAT]: openaiChat.paths[0].pattern,
  [MESSAGES]: anthropicMessages.paths[0].pattern,
  [RESPONSES]: openaiResponses.paths[0].pattern,
};

const BACKEND_PATHS: Readonly<Record<Plain, string>> = {
  [CHAT]: openaiChat.usualPaths?.chat ?? '',
  [MESSAGES]: anthropicMessages.usualPaths?.chat ?? '',
  [RESPONSES]: openaiResponses.usualPaths?.chat ?? '',
};

/** The model and the kind of answer are in it. */
function geminiPath({ model, stream }: Asked): string {
  return `${GEMINI_BASE}${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

const GEMINI_BASE = '/v1beta/models/';

/** What the paths of a format begin with. */
export function pathStart(dialect: DialectName): string {
  return dialect === GEMINI ? GEMINI_BASE : `${BACKEND_PATHS[dialect]} `;
}
