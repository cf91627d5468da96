import type { ReactElement } from 'react';
import type { Key } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Card, Chart, ErrorState, LinkButton, Select, Tile } from '../../components/index.ts';
import { formatDate, formatShort } from '../../format/figures.ts';
import { formatUsd, formatUsdShort } from '../../format/money.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import type { Range } from '../../navigation/use-range.ts';
import { METRICS, type Metric, metricSeries } from '../overview/usage-series.ts';
import { TileUsd, UsageTiles } from '../overview/usage-tiles.tsx';
import { hasEarlier } from '../overview/use-earlier.ts';

/** Usage of a key: totals, and a chart of one metric by model. The metric is in the URL. */
export function KeyUsage({ row, range }: { readonly row: Key; readonly range: Range }): ReactElement {
  const usage = useApi(
    'readUsage',
    { query: { ...range.query, key: row.id, group_by: 'model' } },
    { keepPrevious: true, refetchInterval: 30_000 },
  );
  const [asked, setMetric] = useQueryState('metric', 'spend');
  const metric: Metric = METRICS.find(({ value }) => value === asked)?.value ?? 'spend';
  const data = usage.data?.data;
  if (data === undefined && usage.error !== null) {
    return (
      <Card flush>
        <ErrorState error={usage.error} retry={() => void usage.refetch()} title="Could not load usage" />
      </Card>
    );
  }
  return (
    <>
      <UsageTiles
        usage={data}
        hasEarlier={hasEarlier(range.from, range.to, row.created_at)}
        isPending={usage.isPending}
      >
        <Tile
          label="Spend (all time)"
          value={<TileUsd usd={row.usage} />}
          note={row.root_id === row.id ? `since ${formatDate(row.created_at)}` : 'including rotated secrets'}
        />
      </UsageTiles>
      <Card
        title={`${METRICS.find(({ value }) => value === metric)?.label} by model`}
        actions={
          <>
            <Select
              size="small"
              aria-label="Chart metric"
              className="w-32"
              value={metric}
              onChange={setMetric}
              options={METRICS}
            />
            <LinkButton
              size="small"
              kind="ghost"
              href={`/usage?key=${row.id}&metric=${metric === 'failed' ? 'errors' : metric}`}
            >
              View usage
            </LinkButton>
          </>
        }
      >
        <Chart
          label={`${METRICS.find(({ value }) => value === metric)?.label} by model`}
          entity="model"
          kind={metric === 'requests' || metric === 'failed' ? 'bars' : 'area'}
          starts={data?.starts}
          interval={data?.interval}
          series={data && metricSeries(data, metric)}
          format={metric === 'spend' ? formatUsd : formatShort}
          formatAxis={metric === 'spend' ? formatUsdShort : formatShort}
          empty="No requests with this key in this period."
        />
      </Card>
    </>
  );
}
