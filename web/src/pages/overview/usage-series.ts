/** Time series from a usage report. Sums here are for drawing only; totals come from the server. */
import type { Answer } from '../../api/client.ts';
import type { ChartSeries } from '../../components/index.ts';

export type Usage = Answer<'readUsage'>['data'];
export type Metric = 'spend' | 'requests' | 'tokens' | 'failed';

export const METRICS: readonly { readonly value: Metric; readonly label: string }[] = [
  { value: 'spend', label: 'Spend' },
  { value: 'requests', label: 'Requests' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'failed', label: 'Errors' },
];

/** One series per group with data. */
export function metricSeries(usage: Usage, metric: Metric): readonly ChartSeries[] {
  const series = usage.groups.map((group) => ({ id: group.id, name: group.name, values: valuesOf(group, metric) }));
  return series.length > 1 ? series.filter(({ values }) => values.some((value) => value !== 0)) : series;
}

/** All groups together. */
export function wholeCourse(usage: Usage, metric: Metric): readonly number[] {
  const courses = usage.groups.map((group) => valuesOf(group, metric));
  return usage.starts.map((_, index) => courses.reduce((sum, values) => sum + (values[index] ?? 0), 0));
}

export function tokenSeries(usage: Usage): readonly ChartSeries[] {
  const sum = (field: 'prompt_tokens' | 'completion_tokens'): readonly number[] =>
    usage.starts.map((_, index) => usage.groups.reduce((all, group) => all + (group[field][index] ?? 0), 0));
  return [
    { id: 'prompt', name: 'Input', values: sum('prompt_tokens') },
    { id: 'completion', name: 'Output', values: sum('completion_tokens') },
  ];
}

function valuesOf(group: Usage['groups'][number], metric: Metric): readonly number[] {
  if (metric !== 'tokens') return group[metric];
  return group.prompt_tokens.map((prompt, index) => prompt + (group.completion_tokens[index] ?? 0));
}
