import { type ReactElement, useEffect, useRef, useState } from 'react';
import { formatShort, formatStart } from '../format/figures.ts';
import { useTheme } from '../navigation/theme.ts';
import { classNames } from './class-names.ts';
import type { PlotInput } from './plot.ts';
import { Skeleton } from './skeleton.tsx';
import { ErrorState } from './states.tsx';

export interface ChartSeries {
  readonly id: string;
  readonly name: string;
  /** One for each of `starts`; null where there is no figure. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** What is shown: `Spend by model`. */
  readonly label: string;
  /** `area` and `bars` are stacked; `line` is not. */
  readonly kind: 'area' | 'bars' | 'line';
  /** ISO 8601: where each interval begins. */
  readonly starts: readonly string[] | undefined;
  /** The first has the first colour; one with the id `other` is grey. */
  readonly series: readonly ChartSeries[] | undefined;
  readonly format?: (value: number) => string;
  /** Shorter, for the axis. */
  readonly formatAxis?: (value: number) => string;
  readonly interval?: 'hour' | 'day';
  readonly height?: number;
  readonly error?: unknown;
  readonly retry?: () => void;
  /** In place of the chart when there is no figure at all. */
  readonly empty?: string;
}

/** A course over time, with a legend that switches series, a tooltip, and the same as a table. */
export function Chart(props: ChartProps): ReactElement {
  const { label, starts, series, height = 220, error } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [isTable, setTable] = useState(false);
  if (error !== null && error !== undefined && series === undefined) {
    return <ErrorState error={error} retry={props.retry} />;
  }
  if (series === undefined || starts === undefined) return <Skeleton className="h-60 w-full" />;
  const isEmpty = !series.some((one) => one.values.some((value) => value !== null && value !== 0));
  const shown = series.filter((one) => !hidden.has(one.id));
  const toggle = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  return (
    <figure aria-label={label} className="min-w-0">
      {isTable ? (
        <ChartTable {...props} starts={starts} series={series} />
      ) : (
        <div className="relative">
          <Plot {...props} starts={starts} series={series} shown={shown} height={height} />
          {isEmpty && (
            <p className="absolute inset-0 flex items-center justify-center pb-6 text-sm text-muted">
              {props.empty ?? 'No calls in this time.'}
            </p>
          )}
        </div>
      )}
      <figcaption className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        {series.length > 1 &&
          series.map((one, index) => (
            <button
              key={one.id}
              type="button"
              aria-pressed={!hidden.has(one.id)}
              onClick={() => toggle(one.id)}
              className={classNames(
                'inline-flex min-h-6 max-w-56 items-center gap-1.5 rounded-sm text-xs',
                hidden.has(one.id) ? 'text-faint line-through' : 'text-muted hover:text-text',
              )}
            >
              <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2 shrink-0">
                <rect width="8" height="8" rx="2" fill={`var(${colourOf(one, index)})`} />
              </svg>
              <span className="truncate">{one.name}</span>
            </button>
          ))}
        {!isEmpty && (
          <button
            type="button"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
            className="ml-auto min-h-6 rounded-sm text-xs text-muted hover:text-text"
          >
            {isTable ? 'Show as a chart' : 'Show as a table'}
          </button>
        )}
      </figcaption>
    </figure>
  );
}

/** The CSS variable of a series' colour. */
export function colourOf(series: { readonly id: string }, index: number): string {
  return series.id === 'other' ? '--chart-other' : `--chart-${(index % 8) + 1}`;
}

type Whole = ChartProps & { readonly starts: readonly string[]; readonly series: readonly ChartSeries[] };

function Plot(props: Whole & { readonly shown: readonly ChartSeries[]; readonly height: number }): ReactElement {
  const { starts, series, shown, kind, height, interval = 'hour' } = props;
  const place = useRef<HTMLDivElement>(null);
  const { theme } = useTheme();
  const format = props.format ?? formatShort;
  const formatAxis = props.formatAxis ?? formatShort;
  const formats = useRef({ format, formatAxis });
  formats.current = { format, formatAxis };
  const input: PlotInput = {
    starts,
    kind,
    height,
    interval,
    shown: shown.map((one) => ({ ...one, colour: colourOf(one, series.indexOf(one)) })),
  };
  // By what is drawn, not by identity: a page may make its arrays anew each time it renders.
  const content = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a theme is a new chart, for the colours are read from the page
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let close: (() => void) | null = null;
    let isGone = false;
    void import('./plot.ts').then(({ drawPlot }) => {
      if (!isGone) close = drawPlot(element, JSON.parse(content) as PlotInput, formats.current);
    });
    return () => {
      isGone = true;
      close?.();
    };
  }, [content, theme]);
  return <div ref={place} aria-hidden="true" className="relative w-full overflow-hidden" style={{ height }} />;
}

function ChartTable({ label, starts, series, format = formatShort, interval = 'hour' }: Whole): ReactElement {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      aria-label={label}
      className="max-h-60 overflow-auto rounded border"
    >
      <table className="w-full text-right text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col" className="sticky top-0 bg-sunken px-3 py-1.5 text-left font-medium">
              Time
            </th>
            {series.map((one) => (
              <th key={one.id} scope="col" className="sticky top-0 bg-sunken px-3 py-1.5 font-medium whitespace-nowrap">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {starts.map((start, index) => (
            <tr key={start} className="border-t">
              <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap text-muted">
                {formatStart(start, interval)}
              </th>
              {series.map((one) => (
                <td key={one.id} className="px-3 py-1">
                  {formatValue(one.values[index], format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function formatValue(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}
