import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { AvailableMoney, Tile } from '../../components/index.ts';

/** The balance and how long it lasts; nothing when billing is off. */
export function BalanceTile(): ReactElement | null {
  const balance = useApi('readBalance', {}, { refetchInterval: 30_000 });
  const data = balance.data?.data;
  if (data?.billing_mode === 'off') return null;
  return (
    <Tile
      label={data?.billing_mode === 'postpaid' ? 'Balance (postpaid)' : 'Balance'}
      value={data == null || data.available === null ? '–' : <Available usd={data.available} />}
      note={noteOf(data)}
      loading={balance.isPending}
      href="/billing"
    />
  );
}

/** Smaller where it would not fit. */
function Available({ usd }: { readonly usd: number }): ReactElement {
  return (
    <span className={Math.abs(usd) < 100_000 ? '' : 'text-lg tracking-tighter'}>
      <AvailableMoney usd={usd} />
    </span>
  );
}

function noteOf(data: Answer<'readBalance'>['data'] | undefined): string {
  const days = data?.days_left ?? null;
  if (data === undefined || days === null) return ' ';
  if (days < 1) return 'under a day left';
  if (days > 365) return 'over a year left';
  const whole = Math.floor(days);
  return whole === 1 ? '1 day left' : `${whole} days left`;
}
