/** Plausible calls: some models are used more than others, some accounts call more, some calls fail. */

import { costOf } from '../../src/billing/cost.ts';
import type { Prices } from '../../src/catalog/model.ts';
import type { CallLabels } from '../../src/core/call-labels.ts';
import { accountId, keyId, newCallId, projectId } from '../../src/core/ids.ts';
import { NO_MONEY, picoUsd, roundUpToNano } from '../../src/core/money.ts';
import { LIST_RATE } from '../../src/core/rates/rate.ts';
import { NO_USAGE } from '../../src/core/usage.ts';
import { anthropicMessages } from '../../src/dialects/anthropic-messages/anthropic-messages.ts';
import { openaiChat } from '../../src/dialects/openai-chat/openai-chat.ts';
import type { CallRecord } from '../../src/stats/record.ts';

/** Self-hosted: its cost is made up. USD per million tokens. */
export const MODELS = [
  { model: 'openai/gpt-5', provider: 'openai', input: 1.25, output: 10, firstMs: 620, tokensPerSecond: 70 },
  {
    model: 'anthropic/claude-sonnet-4-5',
    provider: 'anthropic',
    input: 3,
    output: 15,
    firstMs: 880,
    tokensPerSecond: 62,
  },
  { model: 'google/gemini-2.5-flash', provider: 'google', input: 0.3, output: 2.5, firstMs: 340, tokensPerSecond: 160 },
  {
    model: 'anthropic/claude-haiku-4-5',
    provider: 'anthropic',
    input: 1,
    output: 5,
    firstMs: 450,
    tokensPerSecond: 120,
  },
  { model: 'mistralai/mistral-large', provider: 'mistral', input: 2, output: 6, firstMs: 510, tokensPerSecond: 55 },
] as const;

const LABELS: readonly CallLabels[] = [
  { user: null, app: 'liteLLM', referer: 'https://litellm.ai/', metadata: {}, isCut: false },
  {
    user: 'user-1842',
    app: 'Support desk',
    referer: 'https://desk.example/',
    metadata: { team: 'support' },
    isCut: false,
  },
  {
    user: 'user-77',
    app: 'Nightly reports',
    referer: null,
    metadata: { team: 'finance', job: 'reports' },
    isCut: false,
  },
];

export interface SampleSize {
  readonly accounts: number;
  readonly keysEach: number;
  readonly models: number;
}

/** Of accounts, keys and projects by number, the same for the same seed; all at one time. */
export function sampleCalls(count: number, size: SampleSize): CallRecord[] {
  const random = seeded(42);
  return Array.from({ length: count }, () => {
    const account = 1 + Math.floor(size.accounts * random() ** 1.5);
    const keyOfAccount = Math.floor(size.keysEach * random() ** 1.5);
    const number = Math.floor(size.models * random() ** 1.5);
    const base = MODELS[number % MODELS.length] as (typeof MODELS)[number];
    const model = number < MODELS.length ? base.model : `${base.model}-${number}`;
    const who = { accountId: account, projectId: account, keyId: (account - 1) * size.keysEach + keyOfAccount + 1 };
    return sampleCall({ ...base, model }, who, 0, random);
  });
}

export interface Who {
  readonly accountId: number;
  readonly projectId: number;
  readonly keyId: number;
}

type ModelFacts = Omit<
  (typeof MODELS)[number],
  'model' | 'provider' | 'input' | 'output' | 'firstMs' | 'tokensPerSecond'
> & {
  readonly model: string;
  readonly provider: string;
  readonly input: number;
  readonly output: number;
  readonly firstMs: number;
  readonly tokensPerSecond: number;
};

/** `random` returns numbers from 0 to 1. Held in full if it is charged. */
export function sampleCall(facts: ModelFacts, who: Who, admittedAt: number, random: () => number): CallRecord {
  const failed = random() < 0.025;
  const input = Math.round(60 * Math.exp(4 * random()));
  const output = Math.round(20 * Math.exp(3.4 * random()));
  const cached = random() < 0.3 ? Math.round(input * 0.6) : 0;
  const usage = failed
    ? NO_USAGE
    : { ...NO_USAGE, inputTokens: input - cached, cacheReadTokens: cached, outputTokens: output };
  const cost = roundUpToNano(costOf(usage, pricesOf(facts)));
  const firstByteMs = failed ? null : Math.round(facts.firstMs * Math.exp(1.6 * (random() - 0.4)) * 10) / 10;
  const streamed = random() < 0.7;
  const durationMs = failed
    ? Math.round(900 * random())
    : (firstByteMs ?? 0) + Math.round((1000 * output) / facts.tokensPerSecond);
  const status = failed ? (random() < 0.5 ? 503 : 429) : 200;
  const errorCode = failed ? (status === 503 ? 'upstream_overloaded' : 'upstream_rate_limited') : null;
  return {
    asked: null,
    callId: newCallId(admittedAt),
    admittedAt,
    accountId: accountId(who.accountId),
    projectId: projectId(who.projectId),
    keyId: keyId(who.keyId),
    operation: 'chat',
    model: facts.model,
    provider: facts.provider,
    usage,
    usageSource: failed ? 'none' : 'reported',
    priceVersion: null,
    rate: LIST_RATE,
    ownCredential: false,
    cost,
    hold: cost,
    charge: cost,
    fault: NO_MONEY,
    variance: NO_MONEY,
    nodeLoss: NO_MONEY,
    saved: NO_MONEY,
    ending: failed ? 'refused_upstream' : 'complete',
    dialect: openaiChat.name,
    upstreamDialect: facts.provider === 'anthropic' ? anthropicMessages.name : openaiChat.name,
    upstreamId: failed ? null : `msg_${Math.floor(random() * 1e12).toString(36)}`,
    streamed,
    status,
    errorCode,
    finishReason: failed ? null : 'stop',
    attempts: [
      {
        provider: facts.provider,
        upstreamModel: facts.model.split('/')[1] ?? '',
        status,
        error: errorCode,
        reason: 'first',
        startMs: 0,
        durationMs,
      },
    ],
    warnings: random() < 0.02 ? ['the field "seed" was left out'] : [],
    firstByteMs,
    durationMs,
    requestBytes: input * 4,
    responseBytes: output * 5,
    labels: random() < 0.5 ? null : (LABELS[Math.floor(random() * LABELS.length)] ?? null),
  };
}

export function pricesOf({ input, output }: Pick<ModelFacts, 'input' | 'output'>): Prices {
  return {
    input: perToken(input),
    output: perToken(output),
    cacheRead: perToken(input / 10),
    cacheWrite: null,
    cacheWrite1h: null,
    inputAudio: null,
    outputAudio: null,
    cacheReadAudio: null,
    inputImage: null,
    outputImage: null,
    reasoning: null,
    image: null,
    request: null,
    webSearch: null,
    fileSearch: null,
    codeInterpreter: null,
    units: [],
    tiers: [],
  };
}

function perToken(perMillion: number) {
  return picoUsd(BigInt(Math.round(perMillion * 1_000_000)));
}

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
