import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef } from 'react';
import { useAccount, useIsClosed, useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Card, EmptyState, ErrorState, LinkButton, PageHeader, RangePicker, Skeleton } from '../../components/index.ts';
import { type Range, useRange } from '../../navigation/use-range.ts';
import { BalanceTile } from './balance-tile.tsx';
import { ChecklistCard } from './checklist.tsx';
import { LatestCalls } from './latest-calls.tsx';
import { LoadBanner, ModelsBanner, ProvidersBanner } from './trouble-banner.tsx';
import { UsageCharts } from './usage-charts.tsx';
import { UsageTiles } from './usage-tiles.tsx';
import { useHasEarlier } from './use-earlier.ts';

export default function OverviewPage(): ReactElement {
  const account = useAccount();
  return account === null ? <WithoutAccount /> : <Overview />;
}

function Overview(): ReactElement {
  const rangeState = useRange();
  // A closed account has no next steps.
  const isClosed = useIsClosed();
  const checklist = useChecklist(!isClosed);
  const firstSteps = isClosed ? undefined : checklist.data?.data;
  // Before the first request, the page only shows how to send it.
  const isNew = firstSteps !== undefined && firstSteps.first_call === null;
  return (
    <>
      <PageHeader title="Overview" actions={!isNew && <RangePicker state={rangeState} />} />
      {checklist.isPending && !isClosed ? (
        <Skeleton className="h-96" />
      ) : (
        <div className="flex flex-col gap-6">
          <LoadBanner />
          <ProvidersBanner />
          <ModelsBanner />
          {firstSteps !== undefined && <ChecklistCard checklist={firstSteps} />}
          <Figures range={rangeState.range} hidesNothing={isNew} />
        </div>
      )}
    </>
  );
}

/** Polled while waiting for the first request; when it arrives, the figures are refreshed too. */
function useChecklist(enabled: boolean): ReturnType<typeof useApi<'readChecklist'>> {
  const queryClient = useQueryClient();
  const once = useApi('readChecklist', {}, { enabled });
  const isWaiting = enabled && once.data !== undefined && once.data.data.first_call === null;
  useApi('readChecklist', {}, { enabled: isWaiting, refetchInterval: 2000 });
  const hasWaited = useRef(false);
  useEffect(() => {
    if (hasWaited.current && !isWaiting) {
      const nouns = ['usage', 'balance', 'calls'];
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => nouns.includes(String(queryKey[0])) });
    }
    hasWaited.current = isWaiting;
  }, [isWaiting, queryClient]);
  return once;
}

interface FiguresProps {
  readonly range: Range;
  /** A new account shows no empty charts. */
  readonly hidesNothing: boolean;
}

function Figures({ range, hidesNothing }: FiguresProps): ReactElement | null {
  const isClosed = useIsClosed();
  const { from, to } = range;
  const usage = useApi(
    'readUsage',
    { query: { ...range.query, group_by: 'model' } },
    { keepPrevious: true, refetchInterval: 30_000 },
  );
  const hasEarlier = useHasEarlier(range);
  const data = usage.data?.data;
  if (hidesNothing && (data === undefined || data.totals.requests === 0)) return null;
  if (data === undefined && usage.error !== null) {
    return (
      <Card flush>
        <ErrorState error={usage.error} retry={() => void usage.refetch()} title="Could not load usage" />
      </Card>
    );
  }
  const asked = range.name === 'custom' ? `from=${from}&to=${to}` : `range=${range.name}`;
  return (
    <>
      <UsageTiles
        usage={data}
        hasEarlier={hasEarlier}
        isPending={usage.isPending}
        href={`/usage?group_by=model&${asked}`}
      >
        <BalanceTile />
      </UsageTiles>
      {data?.totals.requests === 0 ? (
        <Card flush>
          <EmptyState icon="usage" title="No requests in this period">
            {isClosed ? undefined : 'Charts appear after the first request.'}
          </EmptyState>
        </Card>
      ) : (
        <UsageCharts usage={data} />
      )}
      <LatestCalls title="Recent requests" />
    </>
  );
}

function WithoutAccount(): ReactElement {
  const { user } = useSession();
  return (
    <>
      <PageHeader title="Overview" />
      <LoadBanner />
      <ProvidersBanner />
      <Card flush>
        <EmptyState
          icon="accounts"
          title="You are not a member of any account"
          action={user.is_operator && <LinkButton href="/accounts">All accounts</LinkButton>}
        >
          Ask an owner or admin of an account to invite you.
        </EmptyState>
      </Card>
    </>
  );
}
