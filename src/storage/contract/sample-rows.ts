/** Sample rows for tests of storages. */

import type { NewKey } from '../../accounts/ports.ts';
import type { LedgerRow, NewEntry, PostingRules, PricedTarget, ReplayRow } from '../../billing/ports.ts';
import { accountId, type CallId, keyId, newCallId, priceVersionId, projectId } from '../../core/ids.ts';
import { NO_MONEY, nanoUsd, picoUsd } from '../../core/money.ts';
import { rate } from '../../core/rates/rate.ts';
import type { Settlement } from '../../core/settlement.ts';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import type { CallRecord } from '../../stats/ports.ts';

const MADE_AT = Date.UTC(2026, 10, 21, 12);

export function sampleSettlement(admittedAt: number, changes: Partial<Settlement> = {}): Settlement {
  return {
    callId: newCallId(admittedAt),
    admittedAt,
    accountId: accountId(1),
    projectId: projectId(2),
    keyId: keyId(3),
    operation: 'chat',
    model: 'acme/large',
    provider: 'acme',
    usage: {
      inputTokens: 412,
      cacheReadTokens: 64,
      cacheWriteTokens: 32,
      cacheWrite1hTokens: 16,
      inputAudioTokens: 8,
      outputTokens: 220,
      outputAudioTokens: 4,
      cachedAudioTokens: 0,
      inputImageTokens: 0,
      outputImageTokens: 0,
      reasoningTokens: 100,
      webSearches: 2,
      fileSearches: 0,
      codeContainers: 0,
      units: 3,
      unitLine: 2,
    },
    usageSource: 'reported',
    priceVersion: priceVersionId(7),
    rate: rate(1_125_000),
    ownCredential: true,
    // More than a double represents exactly.
    cost: nanoUsd(9_007_199_254_740_993n),
    hold: nanoUsd(9_007_199_254_740_997n),
    charge: nanoUsd(123_456_789n),
    fault: nanoUsd(9_007_199_254_740_995n),
    variance: nanoUsd(17n),
    nodeLoss: nanoUsd(13n),
    saved: NO_MONEY,
    ending: 'complete',
    ...changes,
  };
}

/** The usage of a call that read images, and sounds from the cache, and drew an image. */
export const HAD_MEDIA: Usage = {
  ...NO_USAGE,
  ...{
    inputTokens: 9,
    inputImageTokens: 7,
    cacheReadTokens: 8,
    cachedAudioTokens: 5,
    outputTokens: 1_300,
    outputImageTokens: 1_290,
  },
};

/** The usage of a call that made images. */
export const MADE_IMAGES: Usage = { ...NO_USAGE, units: 2 ** 31, unitLine: 64 };

/** The usage of a call that left work to the provider's tools. */
export const USED_TOOLS: Usage = { ...NO_USAGE, inputTokens: 9, webSearches: 1, fileSearches: 3, codeContainers: 200 };

/** The settlement of a call without a stored hold. */
export function settlementRow(
  settlement: Settlement,
  changes: Partial<LedgerRow & { type: 'settlement' }> = {},
): LedgerRow {
  return { type: 'settlement', settlement, hadHold: false, replay: null, ...changes };
}

export function settlementRows(settlements: readonly Settlement[]): LedgerRow[] {
  return settlements.map((settlement) => settlementRow(settlement));
}

/** Accepts any entry. */
export const NO_RULES: PostingRules = () => null;

/** The settlement that counts if the process dies before anything of the call was delivered. */
export function crashed(settlement: Settlement): Settlement {
  return {
    ...settlement,
    usage: NO_USAGE,
    usageSource: 'none',
    cost: NO_MONEY,
    charge: NO_MONEY,
    fault: NO_MONEY,
    variance: NO_MONEY,
    nodeLoss: NO_MONEY,
    saved: NO_MONEY,
    ending: 'gateway_crashed',
  };
}

/** The settlement of a call that was answered from the response cache. */
export function fromCache(settlement: Settlement): Settlement {
  return {
    ...crashed(settlement),
    usageSource: 'cache',
    // More than a double represents exactly.
    saved: nanoUsd(9_007_199_254_740_999n),
    ending: 'complete',
  };
}

export function sampleEntry(changes: Partial<NewEntry> = {}): NewEntry {
  return {
    accountId: accountId(1),
    kind: 'topup',
    amount: nanoUsd(5_000_000_000n),
    reference: 'a-reference',
    callId: null,
    note: 'by hand',
    at: 1_000,
    ...changes,
  };
}

export function sampleReplay(settlement: Settlement, changes: Partial<ReplayRow> = {}): ReplayRow {
  return {
    projectId: settlement.projectId,
    keyDigest: new Uint8Array(32).fill(1),
    bodyDigest: new Uint8Array(32).fill(2),
    callId: settlement.callId,
    createdAt: settlement.admittedAt,
    expiresAt: settlement.admittedAt + 86_400_000,
    answer: Uint8Array.of(1, 2, 3),
    ...changes,
  };
}

const ACME = { provider: 'acme' };
const FIRST = { reason: 'first', startMs: 0.1, durationMs: 12.2 };
const SECOND = { reason: 'fallback', startMs: 12.75, durationMs: 800 };

export function sampleRecord(settlement: Settlement, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    ...settlement,
    asked: null,
    dialect: 'openai-chat',
    upstreamDialect: 'anthropic-messages',
    upstreamId: 'msg_0123',
    streamed: true,
    status: 200,
    errorCode: null,
    finishReason: 'stop',
    attempts: [
      { ...ACME, upstreamModel: 'large-1', status: 529, error: 'upstream_overloaded', ...FIRST },
      { ...ACME, upstreamModel: 'large-2', status: null, error: null, ...SECOND },
    ],
    warnings: ['the field "seed" was left out'],
    firstByteMs: 213.25,
    durationMs: 812.5,
    requestBytes: 1_200,
    responseBytes: 9_000,
    labels: null,
    ...changes,
  };
}

/** A record of which only the settlement survived. */
export function bareRecord(settlement: Settlement): CallRecord {
  return sampleRecord(settlement, {
    dialect: '',
    upstreamDialect: null,
    upstreamId: null,
    streamed: false,
    status: 0,
    finishReason: null,
    attempts: [],
    warnings: [],
    firstByteMs: null,
    durationMs: 0,
    requestBytes: 0,
    responseBytes: 0,
  });
}

export function callIds(rows: readonly { readonly callId: CallId }[]): CallId[] {
  return rows.map((row) => row.callId);
}

/** A key of project 1; each seed has a different digest. */
export function newKey(seed: number, changes: Partial<NewKey> = {}): NewKey {
  return {
    projectId: projectId(1),
    rootId: null,
    name: null,
    kind: 'inference',
    digest: Buffer.alloc(32, seed + 1),
    pepperId: 'a-pepper',
    label: 'sk-tp-…wXyZ',
    createdAt: MADE_AT,
    createdBy: null,
    expiresAt: MADE_AT + 1_000,
    limits: { requestsPerMinute: 60, budgets: { day: nanoUsd(5_000_000_001n), total: nanoUsd(100_500_000_000n) } },
    permissions: { modelsAllow: ['acme/*'], ips: ['10.0.0.0/8'] },
    ...changes,
  };
}

/** A target with prices proportional to `input`, pico-USD per token. */
export function pricedTarget(input: bigint, model = 'acme/large'): PricedTarget {
  const lines = {
    input: picoUsd(input),
    output: picoUsd(4n * input),
    cacheRead: null,
    cacheWrite: picoUsd(2n * input),
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
  };
  return {
    model,
    provider: 'acme',
    upstreamModel: 'large-1',
    prices: {
      ...lines,
      units: [{ unit: 'image', price: picoUsd(9n * input) }],
      tiers: [{ ...lines, abovePromptTokens: 200_000 }],
    },
  };
}
