import { type ReactElement, useMemo } from 'react';
import type { ApiError } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { Card, Chart, ErrorNote, ErrorState, PageHeader, RangePicker, Select } from '../../components/index.ts';
import { formatClock } from '../../format/figures.ts';
import { FilterChips } from '../calls/filter-chips.tsx';
import { useHasEarlier } from '../overview/use-earlier.ts';
import { GroupTable } from './group-table.tsx';
import { formatMeasure, formatMeasureAxis, seriesOf, type Usage } from './measures.ts';
import { usageChips } from './usage-chips.tsx';
import { UsageTiles } from './usage-tiles.tsx';
import {
  GROUP_NOUNS,
  GROUPS,
  METRIC_LABELS,
  METRICS,
  type UsageQuery,
  type UsageState,
  useUsageState,
} from './use-usage-query.ts';

/** With more bars than this, draw lines. */
const BARS_MAX = 62;
const NO_FILTERS = Object.fromEntries(GROUPS.map((name) => [name, null]));

export default function UsagePage(): ReactElement {
  const state = useUsageState();
  const { data, error, refetch } = useApi('readUsage', { query: state.query }, { keepPrevious: true });
  const hasEarlier = useHasEarlier(state.query);
  const latencyBefore = useLatencyBefore(state.query, data !== undefined);
  const chips = usageChips(state);
  const retry = (): void => void refetch();
  return (
    <>
      <PageHeader
        title="Usage"
        description="Spend, requests, tokens and errors over time."
        actions={<RangePicker state={state.range} />}
      />
      <div className="flex flex-col gap-6">
        <FilterChips chips={chips} clear={() => state.change(NO_FILTERS)} />
        {data === undefined && error !== null ? (
          <Card flush>
            <ErrorState title="Could not load usage" error={error} retry={retry} />
          </Card>
        ) : (
          <>
            <ErrorNote error={error} />
            <UsageTiles usage={data?.data} hasEarlier={hasEarlier} latencyBefore={latencyBefore} />
            <UsageChart state={state} usage={data?.data} error={error} retry={retry} />
            <GroupTable state={state} totals={data?.data.totals} />
          </>
        )}
      </div>
    </>
  );
}

/** Undefined as long as it is not known. */
function useLatencyBefore(query: UsageQuery, enabled: boolean): Usage['latency'] | undefined {
  const length = Date.parse(query.to) - Date.parse(query.from);
  const before = {
    ...query,
    from: new Date(Date.parse(query.from) - length).toISOString(),
    to: query.from,
    group_by: 'none' as const,
  };
  return useApi('readUsage', { query: before }, { enabled, staleTime: 300_000 }).data?.data.latency;
}

/** For zones whose midnight is not on a whole UTC hour: usage is stored by UTC hour. */
function dayWords({ interval, starts }: Usage): string | undefined {
  const [first] = starts;
  if (interval !== 'day' || first === undefined) return undefined;
  const clock = formatClock(first).slice(0, 5);
  return clock === '00:00' ? undefined : `Days start at ${clock}, because usage is stored by UTC hour.`;
}

interface UsageChartProps {
  readonly state: UsageState;
  readonly usage: Usage | undefined;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

function UsageChart({ state, usage, error, retry }: UsageChartProps): ReactElement {
  const { metric, groupBy, change, query } = state;
  const series = useMemo(
    () => usage?.groups.map((group) => ({ id: group.id, name: group.name, values: seriesOf(metric, group) })),
    [usage, metric],
  );
  const title = `${METRIC_LABELS[metric]} by ${GROUP_NOUNS[groupBy]}`;
  return (
    <Card
      title={title}
      description={usage === undefined ? undefined : dayWords(usage)}
      actions={
        <>
          <Select
            aria-label="Metric"
            size="small"
            className="w-32"
            value={metric}
            onChange={(value) => change({ metric: value === 'spend' ? null : value })}
            options={METRICS.map((value) => ({ value, label: METRIC_LABELS[value] }))}
          />
          <Select
            aria-label="Group by"
            size="small"
            className="w-32"
            value={groupBy}
            onChange={(value) => change({ group_by: value === 'model' ? null : value })}
            options={GROUPS.map((value) => ({ value, label: `by ${GROUP_NOUNS[value]}` }))}
          />
        </>
      }
    >
      <Chart
        label={title}
        entity={groupBy}
        kind={(usage?.starts.length ?? 0) > BARS_MAX ? 'area' : 'bars'}
        starts={usage?.starts}
        series={series}
        interval={usage?.interval ?? query.interval}
        format={formatMeasure(metric)}
        formatAxis={formatMeasureAxis(metric)}
        height={260}
        error={error}
        retry={retry}
        empty={metric === 'errors' && (usage?.totals.requests ?? 0) > 0 ? 'No errors in this period.' : undefined}
      />
    </Card>
  );
}
