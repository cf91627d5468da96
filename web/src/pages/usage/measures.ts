/** Figures of the page, out of the sums that the API gives. */
import type { Answer } from '../../api/client.ts';
import type { Sums } from '../../api/types.ts';
import { type FormatFigure, formatCount, formatShort } from '../../format/figures.ts';
import { formatUsd, formatUsdShort } from '../../format/money.ts';
import type { MetricName } from './use-usage-query.ts';

export type Usage = Answer<'readUsage'>['data'];
export type UsageGroup = Usage['groups'][number];

export function tokensOf(sums: Pick<Sums, 'prompt_tokens' | 'completion_tokens'>): number {
  return sums.prompt_tokens + sums.completion_tokens;
}

/** Between 0 and 1; null without a request. */
export function errorRate(sums: Pick<Sums, 'requests' | 'failed'>): number | null {
  return sums.requests === 0 ? null : sums.failed / sums.requests;
}

/** Change as a share of what was; null where there was nothing. */
export function deltaOf(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : now / before - 1;
}

/** Change of a share, as the difference of the two; null where one of them is not known. */
export function pointsOf(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before;
}

export function measureOf(metric: MetricName, sums: Sums): number {
  if (metric === 'tokens') return tokensOf(sums);
  return metric === 'errors' ? sums.failed : sums[metric];
}

export function seriesOf(metric: MetricName, group: UsageGroup): readonly number[] {
  if (metric === 'tokens') {
    return group.prompt_tokens.map((count, at) => count + (group.completion_tokens[at] ?? 0));
  }
  return metric === 'errors' ? group.failed : group[metric];
}

export function formatMeasure(metric: MetricName): FormatFigure {
  return metric === 'spend' ? formatUsd : formatCount;
}

export function formatMeasureAxis(metric: MetricName): FormatFigure {
  return metric === 'spend' ? formatUsdShort : formatShort;
}
