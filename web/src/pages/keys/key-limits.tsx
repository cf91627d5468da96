import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import type { Key } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Card, ErrorState, Link, Money, Progress, SkeletonLines, Time } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { RATE_WORDS, WINDOW_WORDS } from '../../forms/describe.ts';

type KeyLimits = Answer<'readKeyLimits'>['data'];
const OWNERS = { key: 'This key', project: 'Project', account: 'Account' } as const;

/** What the key may still use, and which limit it reaches first. Refreshed every 10 s. */
export function KeyLimitsCard({ row }: { readonly row: Key }): ReactElement {
  const limits = useApi('readKeyLimits', { params: { key: row.id } }, { refetchInterval: 10_000 });
  const data = limits.data?.data;
  return (
    <Card title="Current limits">
      {data === undefined ? (
        limits.error === null ? (
          <SkeletonLines />
        ) : (
          <ErrorState error={limits.error} retry={() => void limits.refetch()} />
        )
      ) : (
        <div className="flex flex-col gap-5">
          <p>
            <Binding binding={data.binding} />
          </p>
          {data.budgets.length > 0 && <Budgets budgets={data.budgets} />}
          {data.rates.length > 0 && <Rates rates={data.rates} />}
          {data.rates.length === 0 && <p className="text-sm text-muted">No rate limits.</p>}
          <Refused keyId={row.id} />
        </div>
      )}
    </Card>
  );
}

/** Refused requests: without them a key over its limit would look unused. */
function Refused({ keyId }: { readonly keyId: number }): ReactElement | null {
  const refused = useApi('listRefusals', { query: { key: keyId } }, { refetchInterval: 10_000 });
  const [last] = refused.data?.data ?? [];
  if (refused.data === undefined || last === undefined) return null;
  const count = refused.data.data.length;
  return (
    <p className="text-sm text-muted">
      <Link href={`/calls?status=refused&key=${keyId}`} className="underline">
        {count === 1 ? '1 request' : `${count === 100 ? '100 or more' : count} requests`} refused
      </Link>{' '}
      since the server started, the last <Time at={last.at} /> with {last.status} {last.code}.
    </p>
  );
}

function Binding({ binding }: { readonly binding: KeyLimits['binding'] }): ReactElement {
  if (binding === null) return <>No spending limit.</>;
  const left = (
    <strong className="font-semibold">
      <Money usd={binding.available} />
    </strong>
  );
  if (binding.kind === 'balance') {
    return (
      <>
        {left} left of the account’s{' '}
        <Link href="/billing" className="underline">
          balance
        </Link>
        .
      </>
    );
  }
  const owner = binding.scope === 'key' ? 'the key’s' : `the ${binding.scope}’s`;
  const window = WINDOW_WORDS[binding.window as keyof typeof WINDOW_WORDS] ?? '';
  return (
    <>
      {left} left of {owner} budget {window}.
    </>
  );
}

function Budgets({ budgets }: { readonly budgets: KeyLimits['budgets'] }): ReactElement {
  return (
    <ul aria-label="Budgets" className="flex flex-col gap-4">
      {budgets.map(({ scope, window, limit, spent, held, resets_at }) => (
        <li key={`${scope} ${window}`}>
          <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
            <span>
              {OWNERS[scope]}, {WINDOW_WORDS[window]}
            </span>
            <span className="figures text-muted">
              <span className="text-text">
                <Money usd={spent} />
              </span>{' '}
              of <Money usd={limit} />
            </span>
          </div>
          <Progress
            bare
            value={spent + held}
            limit={limit}
            label={`Budget: ${OWNERS[scope]}, ${WINDOW_WORDS[window]}`}
          />
          <p className="figures mt-1 text-xs text-muted">
            {held > 0 && (
              <>
                <Money usd={held} /> on hold for running requests.{' '}
              </>
            )}
            {resets_at !== null && (
              <>
                Resets <Time at={resets_at} />.
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Rates({ rates }: { readonly rates: KeyLimits['rates'] }): ReactElement {
  return (
    <ul aria-label="Rates" className="flex flex-col gap-3">
      {rates.map(({ scope, kind, limit, used }) => (
        <li key={`${scope} ${kind}`}>
          <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
            <span>
              {OWNERS[scope]}, {RATE_WORDS[kind]}
            </span>
            <span className="figures text-muted">
              <span className="text-text">{formatCount(used)}</span> of {formatCount(limit)}
            </span>
          </div>
          <Progress
            bare
            value={used}
            limit={limit}
            format={formatCount}
            label={`Rate: ${OWNERS[scope]}, ${RATE_WORDS[kind]}`}
          />
        </li>
      ))}
    </ul>
  );
}
