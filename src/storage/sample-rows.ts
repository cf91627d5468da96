/** Rows for tests of storages: ordinary ones, each different from the last in every field that can differ. */
import { accountId, type CallId, keyId, newCallId, priceVersionId, projectId } from '../core/ids.ts';
import { nanoUsd } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { CallRecord } from '../stats/ports.ts';

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
      reasoningTokens: 100,
      webSearches: 2,
    },
    usageSource: 'reported',
    priceVersion: priceVersionId(7),
    // Larger than a double holds exactly.
    cost: nanoUsd(9_007_199_254_740_993n),
    charge: nanoUsd(123_456_789n),
    ending: 'complete',
    ...changes,
  };
}

export function sampleRecord(settlement: Settlement, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    ...settlement,
    dialect: 'openai-chat',
    upstreamDialect: 'anthropic-messages',
    upstreamId: 'msg_0123',
    streamed: true,
    status: 200,
    errorCode: null,
    finishReason: 'stop',
    attempts: [
      { provider: 'acme', upstreamModel: 'large-1', status: 529, error: 'upstream_overloaded', durationMs: 12.5 },
      { provider: 'acme', upstreamModel: 'large-2', status: null, error: null, durationMs: 800 },
    ],
    warnings: ['the field "seed" was left out'],
    firstByteMs: 213.25,
    durationMs: 812.5,
    requestBytes: 1_200,
    responseBytes: 9_000,
    ...changes,
  };
}

/** What is left of a record when only its settlement survived. */
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
