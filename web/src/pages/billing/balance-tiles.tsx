import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { AvailableMoney, Money, Tile } from '../../components/index.ts';

type Balance = Answer<'readBalance'>['data'];

/** What the account has, and what was paid in and charged in all. */
export function BalanceTiles({ balance }: { readonly balance: Balance | undefined }): ReactElement {
  const loading = balance === undefined;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile
        label="Available"
        loading={loading}
        value={<Available usd={balance?.available} />}
        note={balance === undefined ? undefined : daysWords(balance)}
      />
      <Tile label="Held" loading={loading} value={<Sum usd={balance?.held} />} note="for calls that run" />
      <Tile label="Credited" loading={loading} value={<Sum usd={balance?.credited} />} note="in all" />
      <Tile label="Charged" loading={loading} value={<Sum usd={balance?.charged} />} note="in all" href="/usage" />
    </div>
  );
}

/** Never more than there is. */
function Available({ usd }: { readonly usd: number | null | undefined }): ReactElement {
  return (
    <span className="max-sm:text-lg">
      <AvailableMoney usd={usd} />
    </span>
  );
}

/** Whole, on a phone too. */
function Sum({ usd }: { readonly usd: number | null | undefined }): ReactElement {
  return (
    <span className="max-sm:text-lg">
      <Money usd={usd} />
    </span>
  );
}

function daysWords({ billing_mode, days_left, available }: Balance): string {
  if (billing_mode === 'postpaid' && available !== null && available < 0) return 'owed';
  if (available !== null && available <= 0) return 'nothing left';
  if (days_left === null) return 'nothing spent in the week before today';
  if (days_left < 1) return 'less than a day left at this pace';
  if (days_left > 365) return 'more than a year left at this pace';
  const days = Math.floor(days_left);
  return `${days} ${days === 1 ? 'day' : 'days'} left at this pace`;
}
