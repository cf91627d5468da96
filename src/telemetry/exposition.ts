/** Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */

export interface Sample {
  /** Appended to the family's name: '' or, in a histogram, `_bucket`, `_sum`, `_count`. */
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram';
  readonly samples: readonly Sample[];
}

/** A block of lines, without a final line end. */
export function writeFamily({ name, help, type, samples }: Family): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  for (const { suffix, labels, value } of samples) lines.push(`${name}${suffix}${writeLabels(labels)} ${value}`);
  return lines.join('\n');
}

function writeLabels(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
