/** The health state of a provider, or of a model at one, from the outcomes of its calls. Pure: the same facts give the same state. */
import type { OutcomeSums } from './outcome-window.ts';

/**
 * `unknown`: no outcomes yet. `good`: calls are answered. `limited`: many calls are rate limited by the provider.
 * `failing`: many calls fail. `dead`: all of the last ones failed.
 */
export const HEALTH_STATES = ['unknown', 'good', 'limited', 'failing', 'dead'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export interface HealthFacts {
  /** Outcomes of the last five minutes. */
  readonly recent: OutcomeSums;
  /** Calls that failed since the last good one, however long ago that was. */
  readonly failedInARow: number;
  /** Whether a call was ever answered; false again after a connection test has ended a problem. */
  readonly wasGood: boolean;
}

/** After this many failures in a row the next call is expected to fail too. */
const DEAD_IN_A_ROW = 5;
/** Fewer failures prove nothing for a provider with traffic; without any other calls, two in a row are enough. */
const FAILING_AT_LEAST = 3;
const QUIET_AT_LEAST = 2;
/** The share that begins a state, and a lower one that ends it: with a single threshold the state could change with each call. */
const BEGINS_AT = 0.2;
const ENDS_BELOW = 0.1;

/** `before` is the current state. */
export function healthState({ recent, failedInARow, wasGood }: HealthFacts, before: HealthState): HealthState {
  const { good, failed, limited } = recent;
  if (failedInARow >= DEAD_IN_A_ROW) return 'dead';
  const wasFailing = before === 'failing' || before === 'dead';
  if (isMuch(failed, good + failed, wasFailing)) return 'failing';
  if (good === 0 && failedInARow >= QUIET_AT_LEAST) return 'failing';
  if (isMuch(limited, good + failed + limited, before === 'limited')) return 'limited';
  if (good === 0 && limited >= QUIET_AT_LEAST) return 'limited';
  return wasGood ? 'good' : 'unknown';
}

/** Whether an operator should have a look. */
export function isTrouble(state: HealthState): boolean {
  return state === 'limited' || isFailing(state);
}

/** Whether a call is likely to fail. */
export function isFailing(state: HealthState): boolean {
  return state === 'failing' || state === 'dead';
}

function isMuch(count: number, of: number, stays: boolean): boolean {
  return count >= FAILING_AT_LEAST && count / of >= (stays ? ENDS_BELOW : BEGINS_AT);
}
