import type { Settlement } from '../../../core/settlement.ts';
import type { CallRecord } from '../../../stats/ports.ts';

/** A record of which only the settlement survived: see `hasDetail`. */
export function withoutDetail(settlement: Settlement): CallRecord {
  return {
    ...settlement,
    asked: null,
    dialect: '',
    upstreamDialect: null,
    upstreamId: null,
    streamed: false,
    status: 0,
    errorCode: null,
    finishReason: null,
    attempts: [],
    warnings: [],
    firstByteMs: null,
    durationMs: 0,
    requestBytes: 0,
    responseBytes: 0,
    labels: null,
  };
}
