/** The kinds of providers this program knows. A new kind is a file and two lines here; people are shown them in this order. */
import type { ProviderDeclaration } from './provider.ts';
import { azure } from './vendors/clouds/azure.ts';
import { bedrock } from './vendors/clouds/bedrock.ts';
import { cloudflare } from './vendors/clouds/cloudflare.ts';
import { vertex } from './vendors/clouds/vertex.ts';
import { baseten } from './vendors/hosts/baseten.ts';
import { cerebras } from './vendors/hosts/cerebras.ts';
import { chutes } from './vendors/hosts/chutes.ts';
import { deepinfra } from './vendors/hosts/deepinfra.ts';
import { featherless } from './vendors/hosts/featherless.ts';
import { fireworks } from './vendors/hosts/fireworks.ts';
import { friendli } from './vendors/hosts/friendli.ts';
import { groq } from './vendors/hosts/groq.ts';
import { hyperbolic } from './vendors/hosts/hyperbolic.ts';
import { nebius } from './vendors/hosts/nebius.ts';
import { novita } from './vendors/hosts/novita.ts';
import { nscale } from './vendors/hosts/nscale.ts';
import { nvidia } from './vendors/hosts/nvidia.ts';
import { ovhcloud } from './vendors/hosts/ovhcloud.ts';
import { sambanova } from './vendors/hosts/sambanova.ts';
import { scaleway } from './vendors/hosts/scaleway.ts';
import { together } from './vendors/hosts/together.ts';
import { wandb } from './vendors/hosts/wandb.ts';
import { ai21 } from './vendors/makers/ai21.ts';
import { alibaba } from './vendors/makers/alibaba.ts';
import { anthropic } from './vendors/makers/anthropic.ts';
import { cohere } from './vendors/makers/cohere.ts';
import { deepgram } from './vendors/makers/deepgram.ts';
import { deepseek } from './vendors/makers/deepseek.ts';
import { elevenlabs } from './vendors/makers/elevenlabs.ts';
import { google } from './vendors/makers/google.ts';
import { inception } from './vendors/makers/inception.ts';
import { jina } from './vendors/makers/jina.ts';
import { minimax } from './vendors/makers/minimax.ts';
import { mistral } from './vendors/makers/mistral.ts';
import { moonshot } from './vendors/makers/moonshot.ts';
import { openai } from './vendors/makers/openai.ts';
import { perplexity } from './vendors/makers/perplexity.ts';
import { stepfun } from './vendors/makers/stepfun.ts';
import { tencent } from './vendors/makers/tencent.ts';
import { upstage } from './vendors/makers/upstage.ts';
import { voyage } from './vendors/makers/voyage.ts';
import { xai } from './vendors/makers/xai.ts';
import { zai } from './vendors/makers/zai.ts';
import { githubModels } from './vendors/routers/github-models.ts';
import { huggingface } from './vendors/routers/huggingface.ts';
import { openrouter } from './vendors/routers/openrouter.ts';
import { vercel } from './vendors/routers/vercel.ts';
import { custom } from './vendors/servers/custom.ts';
import { demo } from './vendors/servers/demo.ts';
import { llamaCpp } from './vendors/servers/llama-cpp.ts';
import { lmStudio } from './vendors/servers/lm-studio.ts';
import { ollama } from './vendors/servers/ollama.ts';
import { sglang } from './vendors/servers/sglang.ts';
import { tgi } from './vendors/servers/tgi.ts';
import { vllm } from './vendors/servers/vllm.ts';

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
  alibaba,
  moonshot,
  zai,
  minimax,
  cohere,
  perplexity,
  ai21,
  inception,
  stepfun,
  tencent,
  upstage,
  voyage,
  jina,
  elevenlabs,
  deepgram,
  together,
  fireworks,
  cerebras,
  deepinfra,
  baseten,
  sambanova,
  nebius,
  novita,
  nvidia,
  friendli,
  chutes,
  featherless,
  hyperbolic,
  nscale,
  ovhcloud,
  scaleway,
  wandb,
  vercel,
  huggingface,
  'github-models': githubModels,
  cloudflare,
  ollama,
  vllm,
  'llama-cpp': llamaCpp,
  'lm-studio': lmStudio,
  sglang,
  tgi,
  custom,
  demo,
} as const satisfies Record<string, ProviderDeclaration>;

export type ProviderKind = keyof typeof providerKinds;

/** Null when there is no such kind. */
export function findProviderKind(name: string): ProviderDeclaration | null {
  return Object.hasOwn(providerKinds, name) ? providerKinds[name as ProviderKind] : null;
}
