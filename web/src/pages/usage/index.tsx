import { type ReactElement, useMemo } from 'react';
import { useAddress, useApi } from '../../api/use-api.ts';
import {
  Card,
  Chart,
  EmptyState,
  ErrorState,
  LinkButton,
  PageHeader,
  RangePicker,
  Select,
  type Sort,
  Table,
} from '../../components/index.ts';
import { FilterChips } from '../calls/filter-chips.tsx';
import { groupColumns } from './group-columns.tsx';
import { formatMeasure, formatMeasureAxis, measureOf, seriesOf, type UsageGroup } from './measures.ts';
import { usageChips } from './usage-chips.tsx';
import { UsageTiles } from './usage-tiles.tsx';
import {
  GROUP_LABELS,
  GROUPS,
  intoGroup,
  METRIC_LABELS,
  METRICS,
  type UsageState,
  useUsageState,
} from './use-usage-query.ts';

const NO_FILTERS = Object.fromEntries(GROUPS.map((name) => [name, null]));

export default function UsagePage(): ReactElement {
  const state = useUsageState();
  const { range, metric, groupBy, filters, change } = state;
  const { from, to, interval } = range.range;
  const query = { ...filters, from, to, interval, group_by: groupBy } as const;
  const { data, error, refetch } = useApi('readUsage', { query: query as never }, { keepPrevious: true });
  const usage = data?.data;
  const latencyBefore = useLatencyBefore(state);
  return null as never;
}
