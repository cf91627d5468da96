import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { type FormatFigure, formatShort } from '../../format/figures.ts';
import { useTheme } from '../../navigation/theme.ts';
import { Skeleton } from '../skeleton.tsx';
import { ErrorState } from '../states.tsx';
import { ChartReadout, readoutWords } from './chart-readout.tsx';
import { ChartTable } from './chart-table.tsx';
import { type EntityKind, markOf } from './entity-mark.ts';
import type { DrawnPlot, PlotInput } from './plot.ts';

export interface ChartSeries {
  readonly id: string;
  readonly name: string;
  /** One for each of `starts`; null if there is no figure. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** What is shown: `Spend by model`. */
  readonly label: string;
  /** `area` and `bars` are stacked, the first series at the bottom; `line` is not. */
  readonly kind: 'area' | 'bars' | 'line';
  /** What each series is; colours are assigned by id. */
  readonly entity: EntityKind;
  /** ISO 8601: the start of each interval. */
  readonly starts: readonly string[] | undefined;
  /** One with the id `other` is grey and striped. */
  readonly series: readonly ChartSeries[] | undefined;
  readonly format?: FormatFigure;
  /** Shorter, for the axis. */
  readonly formatAxis?: FormatFigure;
  readonly interval?: 'minute' | 'hour' | 'day' | undefined;
  readonly height?: number;
  readonly error?: unknown;
  readonly retry?: () => void;
  /** Shown instead of the chart when there is no data. */
  readonly empty?: string;
}

/** What a chart draws once it has figures. */
export type WholeChart = ChartProps & {
  readonly starts: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly format: FormatFigure;
  readonly interval: 'minute' | 'hour' | 'day';
};

/** A time series, with its values next to or below it, and the same as a table. */
export function Chart(props: ChartProps): ReactElement {
  const { label, starts, series, error, format = formatShort, interval = 'hour' } = props;
  const [isTable, setTable] = useState(false);
  if (error !== null && error !== undefined && series === undefined) {
    return <ErrorState error={error} retry={props.retry} />;
  }
  if (series === undefined || starts === undefined) return <Skeleton className="h-60 w-full" />;
  const whole = { ...props, starts, series, format, interval };
  const isEmpty = !series.some((one) => one.values.some((value) => value !== null && value !== 0));
  return (
    <figure aria-label={label} className="@container min-w-0">
      {isTable ? <ChartTable {...whole} /> : <DrawnChart {...whole} isEmpty={isEmpty} />}
      {!isEmpty && (
        <div className="mt-2 flex justify-end">
          <button
            type="button"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
            className="min-h-6 rounded-sm text-xs text-muted hover:text-text"
          >
            {isTable ? 'Show chart' : 'Show table'}
          </button>
        </div>
      )}
    </figure>
  );
}

function DrawnChart(props: WholeChart & { readonly isEmpty: boolean }): ReactElement {
  const { series, isEmpty, height = 220 } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [asked, setPoint] = useState<number | null>(null);
  const point = asked !== null && asked < props.starts.length ? asked : null;
  const toggle = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  const shown = series.filter((one) => !hidden.has(one.id));
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 @2xl:flex-row">
      <div className="relative min-w-0 flex-1">
        <Plot {...props} shown={shown} height={height} point={point} setPoint={setPoint} />
        {isEmpty && (
          <p className="pointer-events-none absolute inset-0 flex items-center justify-center pb-6 text-sm text-muted">
            {props.empty ?? 'No requests in this period.'}
          </p>
        )}
      </div>
      {!isEmpty && <ChartReadout {...props} hidden={hidden} toggle={toggle} point={point} />}
    </div>
  );
}

interface PlotProps extends WholeChart {
  readonly shown: readonly ChartSeries[];
  readonly height: number;
  readonly isEmpty: boolean;
  readonly point: number | null;
  readonly setPoint: (index: number | null) => void;
}

/** The drawing. The pointer or the arrow keys select the interval whose values are shown. */
function Plot(props: PlotProps): ReactElement {
  const { label, starts, shown, kind, entity, height, interval, isEmpty, point, setPoint } = props;
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnPlot | null>(null);
  const { theme } = useTheme();
  const formatAxis = useRef(props.formatAxis ?? formatShort);
  formatAxis.current = props.formatAxis ?? formatShort;
  const input: PlotInput = {
    starts,
    kind,
    height,
    interval,
    shown: shown.map((one) => ({ ...one, ...markOf(entity, one.id) })),
  };
  // Compared by content, not identity: a page may build new arrays on each render.
  const content = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a theme is a new chart, for the colours are read from the page
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let isGone = false;
    void import('./plot.ts').then(({ drawPlot }) => {
      if (isGone) return;
      const ties = {
        formatAxis: (value: number, together: readonly number[]) => formatAxis.current(value, together),
        onPoint: setPoint,
      };
      drawn.current = drawPlot(element, JSON.parse(content) as PlotInput, ties);
    });
    return () => {
      isGone = true;
      drawn.current?.close();
      drawn.current = null;
    };
  }, [content, theme, setPoint]);
  const last = starts.length - 1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = pointAfter(event.key, point, last);
    if (next === undefined) return;
    event.preventDefault();
    drawn.current?.point(next);
  };
  const drawing = <div ref={place} aria-hidden="true" className="relative w-full overflow-hidden" style={{ height }} />;
  if (isEmpty) return drawing;
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}: time`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={point ?? last}
      aria-valuetext={readoutWords(props, point)}
      onKeyDown={onKeyDown}
      onBlur={() => drawn.current?.point(null)}
      className="rounded outline-offset-4"
    >
      {drawing}
    </div>
  );
}

/** The interval a key moves to; null is the whole range, undefined means the chart does not handle the key. */
function pointAfter(key: string, point: number | null, last: number): number | null | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, (point ?? last + 1) - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, (point ?? -1) + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return point === null ? undefined : null;
    default:
      return undefined;
  }
}
