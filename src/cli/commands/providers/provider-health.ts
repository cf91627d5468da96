/** How calls to a provider have gone, in a line of text. */

/** As the control plane tells it; null where the provider is not called. */
export interface HealthRow {
  readonly state: 'unknown' | 'good' | 'limited' | 'failing' | 'dead';
  readonly last_failure: { readonly reason: string } | null;
  readonly good: number;
  readonly failed: number;
  readonly limited: number;
  readonly failed_in_a_row: number;
}

/** `failing: 3 of the last 5 minutes' 12 calls failed. It says that it is overloaded (HTTP 503).` Null where there is nothing to look at. */
export function troubleText(health: HealthRow | null): string | null {
  if (health === null || health.state === 'unknown' || health.state === 'good') return null;
  const reason = health.last_failure === null ? '' : ` ${health.last_failure.reason}`;
  return `${health.state}: ${countText(health)}${reason}`;
}

/** What makes the state comes first: of `dead` that is the row of failures, whatever share they are of all calls. */
function countText({ state, good, failed, limited, failed_in_a_row: inARow }: HealthRow): string {
  const all = good + failed + limited;
  if (all === 0) return `the last ${inARow} calls failed; no calls in the last 5 minutes.`;
  if (state === 'dead') return `the last ${inARow} calls failed (${failed} of ${all} in the last 5 minutes).`;
  const what =
    state === 'limited' ? `${limited} of ${all} calls were rate limited` : `${failed} of ${all} calls failed`;
  return `${what} in the last 5 minutes.`;
}
