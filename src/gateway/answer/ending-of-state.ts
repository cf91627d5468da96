/** The ending of a stream that was read to its end, by its meter's state. */
import type { Ending } from '../../core/settlement.ts';
import type { MeterState } from '../../dialects/interface/meter.ts';

export const ENDING_OF_STATE = {
  open: 'upstream_failed',
  failed: 'upstream_failed',
  finished: 'complete',
  empty: 'empty',
} as const satisfies Record<MeterState, Ending>;
