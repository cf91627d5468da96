/** Every tool that the page explains, in the order of the list. */

import { libreChat, openWebUi } from './apps.ts';
import { aider, claudeCode, cline, codex, continueDev, cursor, geminiCli, zed } from './assistants.ts';
import { aiSdk, langChain, liteLlm } from './frameworks.ts';
import { anthropicSdk, curl, googleSdk, openAiSdk } from './sdks.ts';
import type { Tool, ToolKind } from './tool.ts';

export const tools: readonly [Tool, ...Tool[]] = [
  curl,
  openAiSdk,
  anthropicSdk,
  googleSdk,
  claudeCode,
  codex,
  geminiCli,
  cline,
  continueDev,
  zed,
  aider,
  cursor,
  openWebUi,
  libreChat,
  aiSdk,
  langChain,
  liteLlm,
];

export const TOOL_KINDS: readonly (readonly [ToolKind, string])[] = [
  ['sdk', 'APIs and SDKs'],
  ['assistant', 'Coding assistants'],
  ['app', 'Chat apps'],
  ['library', 'Libraries'],
];

/** Those that fit beside a new key: the shortest way to a first call. */
export const firstTools: readonly Tool[] = [curl, openAiSdk, anthropicSdk, claudeCode];

export function toolById(id: string): Tool {
  return tools.find((tool) => tool.id === id) ?? tools[0];
}
