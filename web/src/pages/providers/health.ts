/** The recent health of a provider, or of a model there. */
import type { Health, Provider } from '../../api/types.ts';
import { formatShare } from '../../format/figures.ts';

type Figures = Pick<Health, 'state' | 'good' | 'failed' | 'limited' | 'failed_in_a_row' | 'error_rate'>;

/** Whether requests to it are likely to fail. */
export function isFailing({ health }: Pick<Provider, 'health'>): boolean {
  return health?.state === 'failing' || health?.state === 'dead';
}

/** Whether it needs attention. */
export function isTroubled({ health }: Pick<Provider, 'health'>): boolean {
  return health?.state === 'limited' || isFailing({ health });
}

/** `3 of 20 requests in the last 5 minutes failed (15%).` When it is down, the reason comes first: `The last 5 requests failed.` */
export function recentWords({
  state,
  good,
  failed,
  limited,
  failed_in_a_row: inARow,
  error_rate: rate,
}: Figures): string {
  const all = good + failed + limited;
  if (all === 0)
    return state === 'unknown' || state === 'good'
      ? 'No requests in the last 5 minutes.'
      : `The last ${inARow} requests failed.`;
  if (failed === 0 && limited === 0)
    return `${all} ${all === 1 ? 'request' : 'requests'} in the last 5 minutes, none failed.`;
  const limits = limited === 0 ? '' : `, ${limited} rate limited`;
  const share = rate === null ? '' : ` (${formatShare(rate)})`;
  const row = rowWords({ state, failed_in_a_row: inARow });
  return `${row === '' ? '' : `${row} `}${failed} of ${all} requests in the last 5 minutes failed${share}${limits}.`;
}

/** Why a provider is down; empty for other states, which depend on the error rate. */
export function rowWords({ state, failed_in_a_row: inARow }: Pick<Figures, 'state' | 'failed_in_a_row'>): string {
  return state === 'dead' ? `The last ${inARow} requests failed.` : '';
}

/**
 * `1 of 2 credentials rejected. Requests use the others.` Null unless what was refused was one of several credentials: then the failures say
 * nothing about the next request.
 */
export function replacedWords({
  health,
  credentials = [],
}: Pick<Provider, 'health'> & Partial<Pick<Provider, 'credentials'>>): string | null {
  if (!isTroubled({ health }) || health?.last_failure?.code !== 'upstream_credential_rejected') return null;
  const rejected = credentials.filter(({ state, rejected_for: models }) => state === 'rejected' || models.length > 0);
  if (rejected.length === 0 || rejected.length === credentials.length) return null;
  return `${rejected.length} of ${credentials.length} credentials rejected. Requests use the others.`;
}
