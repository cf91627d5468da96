/**
 * A gateway between the official packages and strict providers. Every model is served by one of
 * them in its one format, so the caller's package determines whether its call is relayed or translated.
 */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from './open-gateway.ts';
import { startStrictAnthropic } from './strict-anthropic.ts';
import { startStrictBedrock } from './strict-bedrock.ts';
import { startStrictGemini } from './strict-gemini.ts';
import { startStrictOpenai } from './strict-openai.ts';
import { startStrictResponses } from './strict-responses.ts';
import type { StrictServer } from './strict-server.ts';

/** US dollars a million tokens. */
const prices = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };

/** Served with the Messages API. */
export const CLAUDE = 'strict/claude';
export const CLAUDE_BUDGET = 'strict/claude-budget';
export const CLAUDE_ADAPTIVE = 'strict/claude-adaptive';
export const CLAUDE_NOSAMPLING = 'strict/claude-nosampling';
/** Known to the catalogue: adaptive thinking, no sampling, no prefill. */
export const CLAUDE_NEWEST = 'anthropic/claude-opus-5';
/** Served with Chat Completions. */
export const GPT = 'strict/gpt';
export const GPT_NOSAMPLING = 'strict/gpt-nosampling';
/** The vendor's own: `max_completion_tokens`, `developer`. */
export const GPT_NEW = 'strict/gpt-new';
/** Served with Responses. */
export const RESPONSES = 'strict/responses';
/** The vendor's own: encrypted thoughts only, custom tools; it thinks. */
export const RESPONSES_NEW = 'strict/responses-new';
/** Another vendor's, xAI's: neither takes the encrypted thoughts of the other. */
export const RESPONSES_OTHER = 'strict/responses-other';
/** Served by OpenRouter: it returns and accepts signed thoughts. */
export const ROUTED = 'strict/routed-claude';
/** Served with Google's own format: a model that signs its calls, one that thinks by a budget, and one that does not think. */
export const GEMINI = 'strict/gemini';
export const GEMINI_BUDGET = 'strict/gemini-budget';
export const GEMINI_OLD = 'strict/gemini-old';

/** Served by Bedrock with Converse. */
export const BEDROCK_CLAUDE = 'strict/bedrock-claude';
export const BEDROCK_NEWEST = 'strict/bedrock-newest';
export const BEDROCK_NOVA = 'strict/bedrock-nova';
export const BEDROCK_LLAMA = 'strict/bedrock-llama';
/** It refuses this name. */
export const BEDROCK_MISSING = 'strict/bedrock-missing';

export interface TranslateBench extends OpenGateway {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  /** The providers. */
  readonly strictOpenai: StrictServer;
  readonly strictAnthropic: StrictServer;
  readonly strictGemini: StrictServer;
  readonly strictResponses: StrictServer;
  readonly strictBedrock: StrictServer;
}

export async function openTranslateBench(): Promise<TranslateBench> {
  const strictOpenai = await startStrictOpenai(CREDENTIAL);
  const strictAnthropic = await startStrictAnthropic(CREDENTIAL);
  const strictGemini = await startStrictGemini(CREDENTIAL);
  const strictResponses = await startStrictResponses(CREDENTIAL);
  const strictBedrock = await startStrictBedrock(ACCOUNT);
  const gateway = await openGateway({
    providers: [
      ...providers(strictOpenai.origin, strictAnthropic.origin),
      google(strictGemini.origin),
      ...responses(strictResponses.origin),
      bedrock(strictBedrock.origin),
    ],
  });
  return {
    ...gateway,
    openai: new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: gateway.key, maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 }),
    strictOpenai,
    strictAnthropic,
    strictGemini,
    strictResponses,
    strictBedrock,
    async close() {
      try {
        await gateway.close();
      } finally {
        const providers = [strictOpenai, strictAnthropic, strictGemini, strictResponses, strictBedrock];
        await Promise.all(providers.map((provider) => provider.close()));
      }
    },
  };
}

const CREDENTIAL = 'canary-credential-of-the-strict-providers';
/** What a model without sampling options takes, in OpenRouter's words. */
const WITHOUT_SAMPLING = [
  'max_tokens',
  'stop',
  'tools',
  'tool_choice',
  'reasoning',
  'response_format',
  'structured_outputs',
];

const ACCOUNT = {
  region: 'eu-central-1',
  accessKeyId: 'AKIASTRICTPROVIDER01',
  secretAccessKey: 'canary/secret+key-of-the-strict-provider',
};

function bedrock(origin: string): object {
  const model = (name: string, upstream: string) => ({
    id: `strict/bedrock-${name}`,
    upstream,
    prices,
    outputCap: 64_000,
  });
  return {
    name: 'bedrock',
    origin,
    region: ACCOUNT.region,
    credential: `${ACCOUNT.accessKeyId}:${ACCOUNT.secretAccessKey}`,
    dialects: ['bedrock-converse'],
    models: [
      model('claude', 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'),
      model('newest', 'global.anthropic.claude-sonnet-5'),
      model('nova', 'eu.amazon.nova-pro-v1:0'),
      model('llama', 'eu.meta.llama3-2-3b-instruct-v1:0'),
      model('missing', 'eu.amazon.missing-v1:0'),
    ],
  };
}

function providers(openaiOrigin: string, anthropicOrigin: string): readonly object[] {
  const credential = CREDENTIAL;
  const claude = (name: string, more: object = {}) => ({
    id: `strict/${name}`,
    upstream: name,
    prices,
    outputCap: 64_000,
    ...more,
  });
  const gpt = (name: string, more: object = {}) => ({
    id: `strict/${name}`,
    upstream: name,
    prices,
    outputCap: 64_000,
    ...more,
  });
  return [
    {
      name: 'messages',
      kind: 'custom',
      origin: anthropicOrigin,
      credential,
      dialects: ['anthropic-messages'],
      chatPaths: { 'anthropic-messages': '/v1/messages' },
      models: [
        claude('claude'),
        claude('claude-budget', { thinking: 'budget' }),
        claude('claude-adaptive', { thinking: 'adaptive', efforts: ['low', 'medium', 'high'] }),
        claude('claude-nosampling', { parameters: WITHOUT_SAMPLING }),
      ],
    },
    { name: 'anthropic', origin: anthropicOrigin, credential },
    {
      name: 'completions',
      kind: 'custom',
      origin: openaiOrigin,
      credential,
      dialects: ['openai-chat'],
      models: [gpt('gpt'), gpt('gpt-nosampling', { parameters: WITHOUT_SAMPLING })],
    },
    {
      name: 'vendor',
      kind: 'openai',
      origin: openaiOrigin,
      credential,
      dialects: ['openai-chat'],
      models: [gpt('gpt-new', { parameters: WITHOUT_SAMPLING })],
    },
    {
      name: 'router',
      kind: 'openrouter',
      origin: openaiOrigin,
      credential,
      dialects: ['openai-chat'],
      models: [gpt('routed-claude')],
    },
  ];
}

function google(origin: string): object {
  const model = (id: string, upstream: string) => ({ id, upstream, prices, outputCap: 64_000 });
  return {
    name: 'google',
    origin,
    credential: CREDENTIAL,
    dialects: ['gemini'],
    models: [
      model(GEMINI, 'gemini-3-strict'),
      model(GEMINI_BUDGET, 'gemini-2.5-strict'),
      model(GEMINI_OLD, 'gemini-2.0-strict'),
    ],
  };
}

function responses(origin: string): readonly object[] {
  const model = (upstream: string) => ({ id: `strict/${upstream}`, upstream, prices, outputCap: 64_000 });
  const shared = { origin, credential: CREDENTIAL, dialects: ['openai-responses'] };
  return [
    { ...shared, name: 'answers', kind: 'custom', models: [model('responses')] },
    { ...shared, name: 'newest', kind: 'openai', models: [model('responses-new')] },
    { ...shared, name: 'other', kind: 'xai', models: [model('responses-other')] },
  ];
}
