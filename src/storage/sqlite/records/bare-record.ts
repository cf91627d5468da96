import type { Settlement } from '../../../core/settlement.ts';
import type { CallRecord } from '../../../stats/ports.ts';

/** What is left of a record when only its settlement survived: an empty dialect says so. */
export function withoutDetail(settlement: Settlement): CallRecord {
  return {
    ...settlement,
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
