import type { ReactElement } from 'react';
import { formatStart } from '../../format/figures.ts';
import { classNames } from '../class-names.ts';
import type { ChartSeries, WholeChart } from './chart.tsx';
import { Swatch } from './swatch.tsx';

export interface ChartReadoutProps extends WholeChart {
  readonly hidden: ReadonlySet<string>;
  /** Shows or hides a series. */
  readonly toggle: (id: string) => void;
  /** The interval at the pointer; null for the whole range. */
  readonly point: number | null;
}

/** Values at the pointer, from the top of the stack down; each row toggles its series. */
export function ChartReadout(props: ChartReadoutProps): ReactElement {
  const { series, entity, kind, format, hidden, toggle, point } = props;
  const shown = series.filter((one) => !hidden.has(one.id));
  const figures = series.map((one) => valueAt(one, kind, point));
  const total = kind === 'line' ? null : sum(shown.map((one) => valueAt(one, kind, point)));
  const together = [...figures, total].filter((value) => value !== null);
  const write = (value: number | null): string => (value === null ? '–' : format(value, together));
  return (
    <figcaption className="min-w-0 text-xs @2xl:w-68 @2xl:shrink-0 @2xl:pt-2">
      <div className="flex items-baseline justify-between gap-3 border-b pb-1.5">
        <span className="truncate text-muted">{timeWords(props, point)}</span>
        {total !== null && <span className="figures font-semibold">{write(total)}</span>}
      </div>
      {series.length > 0 && (
        <ul className="mt-1 gap-x-4 @xl:columns-2 @2xl:columns-1">
          {topToBottom(series, kind).map((one) => (
            <li key={one.id} className="break-inside-avoid">
              <button
                type="button"
                aria-pressed={!hidden.has(one.id)}
                onClick={() => toggle(one.id)}
                className={classNames(
                  'flex min-h-6 w-full items-center gap-1.5 rounded-sm text-left hover:bg-sunken',
                  hidden.has(one.id) && 'text-faint line-through',
                )}
              >
                <Swatch kind={entity} id={one.id} />
                <span className="min-w-0 flex-1 truncate" title={one.name}>
                  {one.name}
                </span>
                <span className="figures">{write(valueAt(one, kind, point))}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </figcaption>
  );
}

/** The same as a sentence, for screen readers: `21 Nov 2026: total $0.20, openai/gpt-5 $0.15, …`. */
export function readoutWords(
  props: WholeChart & { readonly shown: readonly ChartSeries[] },
  point: number | null,
): string {
  const { shown, kind, format } = props;
  const figures = topToBottom(shown, kind).map((one) => [one.name, valueAt(one, kind, point)] as const);
  const total = sum(figures.map(([, value]) => value));
  const together = [total, ...figures.map(([, value]) => value ?? 0)];
  const parts = figures.flatMap(([name, value]) => (value ? [`${name} ${format(value, together)}`] : []));
  const all = kind === 'line' || shown.length === 1 ? parts : [`total ${format(total, together)}`, ...parts];
  return `${timeWords(props, point)}: ${all.length === 0 ? 'nothing' : all.join(', ')}`;
}

function timeWords({ starts, interval }: WholeChart, point: number | null): string {
  const start = point === null ? undefined : starts[point];
  return start === undefined ? 'Whole period' : formatStart(start, interval);
}

/** As the stack is drawn: the first series is at its bottom. */
function topToBottom(series: readonly ChartSeries[], kind: WholeChart['kind']): readonly ChartSeries[] {
  return kind === 'line' ? series : [...series].reverse();
}

/** Over the whole range, the sum; series that are not stacked are not summed. */
function valueAt(one: ChartSeries, kind: WholeChart['kind'], point: number | null): number | null {
  if (point !== null) return one.values[point] ?? null;
  return kind === 'line' ? null : sum(one.values);
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
