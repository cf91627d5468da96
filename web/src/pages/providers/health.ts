/** What calls of late say about a provider, or about a model there. */
import type { Health, Provider } from '../../api/types.ts';
import { formatShare } from '../../format/figures.ts';

type Figures = Pick<Health, 'state' | 'good' | 'failed' | 'limited' | 'failed_in_a_row' | 'error_rate'>;

/** Whether calls to it are likely to fail. */
export function isFailing({ health }: Pick<Provider, 'health'>): boolean {
  return health?.state === 'failing' || health?.state === 'dead';
}

/** Whether somebody should look at it. */
export function isTroubled({ health }: Pick<Provider, 'health'>): boolean {
  return health?.state === 'limited' || isFailing({ health });
}

/** `3 of 20 calls of the last 5 minutes failed (15 %).` Of what is dead it says first what makes it so: `The last 5 calls failed.` */
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
      ? 'No calls in the last 5 minutes.'
      : `The last ${inARow} calls failed.`;
  if (failed === 0 && limited === 0)
    return `${all} ${all === 1 ? 'call' : 'calls'} in the last 5 minutes, none failed.`;
  const limits = limited === 0 ? '' : `, ${limited} met a limit`;
  const share = rate === null ? '' : ` (${formatShare(rate)})`;
  const row = rowWords({ state, failed_in_a_row: inARow });
  return `${row === '' ? '' : `${row} `}${failed} of ${all} calls of the last 5 minutes failed${share}${limits}.`;
}

/** What makes a provider dead; nothing of another state, which is a share of its calls. */
export function rowWords({ state, failed_in_a_row: inARow }: Pick<Figures, 'state' | 'failed_in_a_row'>): string {
  return state === 'dead' ? `The last ${inARow} calls failed.` : '';
}
