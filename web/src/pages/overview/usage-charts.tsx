import type { ReactElement } from 'react';
import { Card, Chart, type ChartProps } from '../../components/index.ts';
import { formatUsd, formatUsdShort } from '../../format/money.ts';
import { metricSeries, tokenSeries, type Usage } from './usage-series.ts';

/** Four charts of the same period. */
export function UsageCharts({ usage }: { readonly usage: Usage | undefined }): ReactElement {
  const shared = { starts: usage?.starts, ...(usage && { interval: usage.interval }) };
  const charts: readonly Pick<
    ChartProps,
    'label' | 'kind' | 'entity' | 'series' | 'format' | 'formatAxis' | 'empty'
  >[] = [
    {
      label: 'Spend by model',
      kind: 'area',
      entity: 'model',
      series: usage && metricSeries(usage, 'spend'),
      format: formatUsd,
      formatAxis: formatUsdShort,
      empty: 'No spend in this period.',
    },
    { label: 'Requests by model', kind: 'bars', entity: 'model', series: usage && metricSeries(usage, 'requests') },
    { label: 'Tokens', kind: 'area', entity: 'tokens', series: usage && tokenSeries(usage) },
    {
      label: 'Errors by model',
      kind: 'bars',
      entity: 'model',
      series: usage && metricSeries(usage, 'failed'),
      empty: 'No errors in this period.',
    },
  ];
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {charts.map((chart) => (
        <Card key={chart.label} title={chart.label}>
          <Chart {...shared} {...chart} />
        </Card>
      ))}
    </div>
  );
}
