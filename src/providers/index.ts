/** The kinds of providers this program knows. A new kind is a file and a line here. */

import type { ProviderDeclaration } from './provider.ts';
import { azure } from './vendors/clouds/azure.ts';
import { bedrock } from './vendors/clouds/bedrock.ts';
import { vertex } from './vendors/clouds/vertex.ts';
import { groq } from './vendors/hosts/groq.ts';
import { anthropic } from './vendors/makers/anthropic.ts';
import { deepseek } from './vendors/makers/deepseek.ts';
import { google } from './vendors/makers/google.ts';
import { mistral } from './vendors/makers/mistral.ts';
import { openai } from './vendors/makers/openai.ts';
import { xai } from './vendors/makers/xai.ts';
import { openrouter } from './vendors/routers/openrouter.ts';
import { custom } from './vendors/servers/custom.ts';
import { demo } from './vendors/servers/demo.ts';
import { ollama } from './vendors/servers/ollama.ts';

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
