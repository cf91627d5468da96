/** What is said of a provider, or of a model at one, from how its calls ended. Pure: the same facts give the same state. */
import type { OutcomeSums } from './outcome-window.ts';

/**
 * `unknown`: no call told anything yet. `good`: calls are answered. `limited`: many calls meet a limit of the provider.
 * `failing`: many calls fail. `dead`: all of the last ones failed.
 */
export const HEALTH_STATES = ['unknown', 'good', 'limited', 'failing', 'dead'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export interface HealthFacts {
  /** Of the last five minutes. */
  readonly recent: OutcomeSums;
  /** Calls that failed since the last good one, however long that is ago. */
  readonly failedInARow: number;
  /** Whether a call was ever answered; no more known where a test has ended a trouble since. */
  readonly wasGood: boolean;
}

/** So many failures in a row, and nobody expects the next call to do better. */
const DEAD_IN_A_ROW = 5;
/** So few say nothing of a provider with traffic; of one without any other, two in a row do. */
const FAILING_AT_LEAST = 3;
const QUIET_AT_LEAST = 2;
/** A share that begins a state, and a lower one that ends it: at the edge it would come and go with each call. */
const BEGINS_AT = 0.2;
const ENDS_BELOW = 0.1;

/** `before` is the state so far. */
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

/** Whether an operator should look. */
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
