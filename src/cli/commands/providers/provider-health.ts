/** The health of a provider as a line of text. */

/** Health in answers of the control plane; null if the provider is not in use. */
export interface HealthRow {
  readonly state: 'unknown' | 'good' | 'limited' | 'failing' | 'dead';
  readonly last_failure: { readonly code: string; readonly reason: string } | null;
  readonly good: number;
  readonly failed: number;
  readonly limited: number;
  readonly failed_in_a_row: number;
}

/** `failing: 3 of the last 5 minutes' 12 calls failed. It says that it is overloaded (HTTP 503).` Null if there is nothing to report. */
export function troubleText(health: HealthRow | null): string | null {
  if (health === null || health.state === 'unknown' || health.state === 'good') return null;
  const reason = health.last_failure === null ? '' : ` ${health.last_failure.reason}`;
  return `${health.state}: ${countText(health)}${reason}`;
}

/** The cause of the state comes first: for `dead` that is the number of consecutive failures, not their share of all calls. */
function countText({ state, good, failed, limited, failed_in_a_row: inARow }: HealthRow): string {
  const all = good + failed + limited;
  if (all === 0) return `the last ${inARow} calls failed; no calls in the last 5 minutes.`;
  if (state === 'dead') return `the last ${inARow} calls failed (${failed} of ${all} in the last 5 minutes).`;
  const what =
    state === 'limited' ? `${limited} of ${all} calls were rate limited` : `${failed} of ${all} calls failed`;
  return `${what} in the last 5 minutes.`;
}
