/**
 * Names that other gateways and clients use for options that are called differently here, so that the error for them suggests
 * the right name. From the documented configuration of LiteLLM (https://docs.litellm.ai/docs/proxy/configs), one-api
 * (https://github.com/songquanpeng/one-api), OpenRouter's list of models
 * (https://openrouter.ai/docs/api-reference/list-available-models), and the official clients.
 */
import type { ProviderKind } from '../providers/index.ts';

const PER_MILLION = 'in US dollars per million tokens';

/** Here → elsewhere. The name here may be followed by a remark; its first word must be an option at that place. */
const NAMES: readonly (readonly [here: string, elsewhere: string])[] = [
  ['origin', 'baseUrl apiBase apiUrl apiHost apiEndpoint serverUrl url uri endpoint address host'],
  ['credential', 'apiKey apiToken authToken accessToken bearerToken key token secret password'],
  ['key', 'apiKey token credential'],
  ['kind', 'type provider providerType vendor api apiType protocol customLlmProvider'],
  ['dialects', 'format formats wireApi wireFormat apiFormat apiType protocol'],
  ['models', 'modelList modelIds modelNames'],
  ['providers[].models', 'modelList models modelAliasMap'],
  ['providers', 'channels upstreams backends endpoints vendors services routes'],
  ['upstream', 'model upstreamModel providerModel deployment deploymentName target'],
  ['id', 'modelName modelId alias slug'],
  ['name', 'id label title slug displayName'],
  [
    'contextWindow',
    'contextLength contextSize context maxContext maxContextTokens maxInputTokens maxModelLen maxPosition numCtx',
  ],
  ['outputCap', 'maxTokens maxOutputTokens maxCompletionTokens outputLimit outputTokens'],
  ['prices', 'price pricing cost costs rates'],
  [`input, ${PER_MILLION}`, 'prompt promptPrice inputPrice inputCost inputCostPerToken inputCostPer1mTokens'],
  [
    `output, ${PER_MILLION}`,
    'completion completionPrice outputPrice outputCost outputCostPerToken outputCostPer1mTokens',
  ],
  [`cacheRead, ${PER_MILLION}`, 'cached cachedInput inputCacheRead cacheReadInputTokenCost cacheHit'],
  [`cacheWrite, ${PER_MILLION}`, 'inputCacheWrite cacheCreation cacheCreationInputTokenCost cacheMiss'],
  ['parameters', 'supportedParameters supportedParams allowedOpenaiParams'],
  ['efforts', 'reasoningEfforts reasoningEffort'],
  ['chatPaths', 'path paths chatPath completionsPath requestPath'],
  ['host', 'listen bind address hostname ip'],
  ['port', 'listenPort httpPort'],
  [
    'dataFolder',
    'data dataDir dataPath dataDirectory database databaseUrl databasePath db dbPath storage sqlDsn sqlitePath',
  ],
  ['data', 'dataDir dataFolder folder dir'],
  ['publicUrl', 'baseUrl url externalUrl siteUrl serverUrl proxyBaseUrl'],
  ['log.level', 'logLevel verbosity verbose debug setVerbose'],
  ['log.format', 'logFormat jsonLogs'],
  ['bootstrapKey', 'masterKey adminKey apiKey keys'],
  ['sealingKey', 'saltKey encryptionKey sessionSecret secret'],
  ['upstream.httpsProxy', 'proxy httpsProxy relayProxy'],
  ['upstream.httpProxy', 'httpProxy'],
  ['upstream.noProxy', 'noProxy'],
  ['upstream.caFile', 'ca caFile caCert caBundle sslCertificate sslCertFile'],
  ['timeouts.totalMs', 'timeout requestTimeout relayTimeout'],
  ['timeouts.connectMs', 'connectTimeout'],
  ['timeouts.drainMs', 'shutdownTimeout gracePeriod'],
  ['smtp', 'mail email mailer'],
];

/** Elsewhere, in lower case without dashes → here, in order of likelihood. */
const MEANT = new Map<string, string[]>();
for (const [here, elsewhere] of NAMES)
  for (const name of elsewhere.split(' ')) MEANT.set(plain(name), [...(MEANT.get(plain(name)) ?? []), here]);

/** The name here for another program's name, among those allowed in its place; null if unknown. */
export function foreignName(name: string, candidates: readonly string[]): string | null {
  const known = new Set(candidates);
  const meant = MEANT.get(plain(name)) ?? [];
  return meant.find((here) => known.has(/^\w+/.exec(here)?.[0] ?? '')) ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** Values of `kind` elsewhere → here. */
const KINDS: Readonly<Record<string, ProviderKind>> = {
  openaicompatible: 'custom',
  openailike: 'custom',
  openaichat: 'custom',
  customopenai: 'custom',
  litellm: 'custom',
  litellmproxy: 'custom',
  hostedvllm: 'vllm',
  llamacpp: 'llama-cpp',
  llamafile: 'llama-cpp',
  lmstudio: 'lm-studio',
  azureopenai: 'azure',
  amazonbedrock: 'bedrock',
  googlevertex: 'vertex',
  vertexai: 'vertex',
  workersai: 'cloudflare',
  cloudflareworkersai: 'cloudflare',
  togetherai: 'together',
  fireworksai: 'fireworks',
  nvidianim: 'nvidia',
  novitaai: 'novita',
  friendliai: 'friendli',
  featherlessai: 'featherless',
  cohereai: 'cohere',
  coherechat: 'cohere',
  dashscope: 'alibaba',
  qwen: 'alibaba',
  kimi: 'moonshot',
  moonshotai: 'moonshot',
  zhipu: 'zai',
  glm: 'zai',
  voyageai: 'voyage',
  jinaai: 'jina',
  hf: 'huggingface',
  vercelaigateway: 'vercel',
  github: 'github-models',
  claude: 'anthropic',
  gemini: 'google',
  googleai: 'google',
  grok: 'xai',
  gpt: 'openai',
};

/** The kind of provider for another program's name; null if unknown. */
export function foreignKind(name: string): string | null {
  return KINDS[plain(name)] ?? null;
}
