/** The kinds of providers this program knows. A new kind is a file and a line here. */
import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import { bedrock } from './bedrock.ts';
import { custom } from './custom.ts';
import { deepseek } from './deepseek.ts';
import { demo } from './demo.ts';
import { google } from './google.ts';
import { groq } from './groq.ts';
import { mistral } from './mistral.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { openrouter } from './openrouter.ts';
import type { ProviderDeclaration } from './provider.ts';
import { vertex } from './vertex.ts';
import { xai } from './xai.ts';

export const providerKinds = {
  openai,
  anthropic,
  google,
  azure,
  bedrock,
  vertex,
  openrouter,
  groq,
  mistral,
  deepseek,
  xai,
  ollama,
  custom,
  demo,
} as const satisfies Record<string, ProviderDeclaration>;

export type ProviderKind = keyof typeof providerKinds;

/** Null when there is no such kind. */
export function findProviderKind(name: string): ProviderDeclaration | null {
  return Object.hasOwn(providerKinds, name) ? providerKinds[name as ProviderKind] : null;
}
