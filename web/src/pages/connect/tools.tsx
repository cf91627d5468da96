/** Every tool that the page explains, in the order of the list. */
import type { ReactNode } from 'react';
import { claudeCode, codex, cursor } from './agents.tsx';
import type { Connection } from './connection.ts';
import { aiSdk, langChain, liteLlm } from './frameworks.ts';
import { anthropicSdk, curl, openAiSdk } from './sdks.ts';

export interface Block {
  /** `Shell`, `~/.claude/settings.json`. */
  readonly title: string;
  readonly code: string;
}

export interface Tool {
  readonly id: string;
  readonly name: string;
  /** What it needs, before the code. */
  readonly intro?: string;
  /** Before the code: why it may not work. */
  readonly warning?: (connection: Connection) => ReactNode;
  readonly blocks: (connection: Connection) => readonly Block[];
  /** After the code: what to mind. */
  readonly notes?: (connection: Connection) => ReactNode;
}

export const tools: readonly [Tool, ...Tool[]] = [
  curl,
  openAiSdk,
  anthropicSdk,
  claudeCode,
  codex,
  cursor,
  aiSdk,
  langChain,
  liteLlm,
];

/** Those that fit beside a new key: the shortest way to a first call. */
export const firstTools: readonly Tool[] = [curl, openAiSdk, anthropicSdk, claudeCode];

export function toolById(id: string): Tool {
  return tools.find((tool) => tool.id === id) ?? tools[0];
}
