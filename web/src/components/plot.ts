/** Draws a chart with uPlot: a module of its own, fetched with the first chart. */
import UPlot from 'uplot';
import { formatStart } from '../format/figures.ts';
import type { ChartSeries } from './chart.tsx';

export interface PlotInput {
  readonly starts: readonly string[];
  readonly kind: 'area' | 'bars' | 'line';
  readonly interval: 'hour' | 'day';
  readonly height: number;
  /** `colour` is the name of a CSS variable. */
  readonly shown: readonly (ChartSeries & { readonly colour: string })[];
}

export interface PlotFormats {
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
}

type Values = readonly (number | null)[];

/** Draws into the element and follows its width; gives back how to take it away. */
export function drawPlot(element: HTMLElement, input: PlotInput, formats: PlotFormats): () => void {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const isStacked = input.kind !== 'line';
  const times = input.starts.map((start) => Date.parse(start) / 1000);
  const values = isStacked ? stack(input.shown.map((one) => one.values)) : input.shown.map((one) => one.values);
  const tooltip = openTooltip(element, input, formats);
  const isEmpty = !values.some((one) => one.some((value) => value !== null && value !== 0));
  const axis: UPlot.Axis = {
    stroke: colour('--faint'),
    font: `11px ${style.fontFamily}`,
    ticks: { show: false },
    grid: { stroke: colour('--line'), width: 1 },
    border: { show: false },
  };
  // What is on top of a stack is drawn first, so that each lower one covers its own part.
  const order = isStacked
    ? input.shown.map((_, index) => input.shown.length - 1 - index)
    : input.shown.map((_, index) => index);
  const plot = new UPlot(
    {
      width: Math.max(1, element.clientWidth),
      height: input.height,
      padding: [10, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: input.kind === 'line' } },
      tzDate: (seconds) =>
        input.interval === 'day' ? UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000),
      scales: {
        x: {
          time: true,
          range: (_, min, max) => (input.kind === 'bars' ? widened(min, max, times.length) : [min, max]),
        },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          space: 70,
          values: (_, splits) => splits.map((at) => axisTime(at, input)),
        },
        {
          ...axis,
          size: (_, labels) => 14 + 6.5 * Math.max(2, ...(labels ?? []).map((label) => label.length)),
          gap: 6,
          space: 44,
          values: (_, splits) => splits.map((value) => (isEmpty ? '' : formats.formatAxis(value))),
        },
      ],
      series: [
        {},
        ...order.map((index): UPlot.Series => {
          const stroke = colour(input.shown[index]?.colour ?? '--chart-1');
          const bars = input.kind === 'bars' ? UPlot.paths.bars?.({ size: [0.75, 36] }) : undefined;
          return {
            stroke,
            show: !isEmpty,
            width: input.kind === 'bars' ? 0 : 1.5,
            points: { show: times.length === 1 },
            ...(isStacked ? { fill: input.kind === 'bars' ? stroke : soften(stroke, colour('--surface')) } : {}),
            ...(bars === undefined ? {} : { paths: bars }),
          };
        }),
      ],
      hooks: { setCursor: [(self) => tooltip.show(self)] },
    },
    [times, ...order.map((index) => values[index] ?? [])] as UPlot.AlignedData,
    element,
  );
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: input.height });
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    tooltip.close();
    plot.destroy();
  };
}

interface Tooltip {
  show(plot: UPlot): void;
  close(): void;
}

function openTooltip(element: HTMLElement, input: PlotInput, formats: PlotFormats): Tooltip {
  const box = document.createElement('div');
  box.className =
    'figures pointer-events-none absolute top-0 left-0 z-10 hidden max-w-64 rounded border bg-surface px-2.5 py-2 text-xs shadow-raised';
  element.append(box);
  return {
    show(plot) {
      const index = plot.cursor.idx;
      const start = index === null || index === undefined ? undefined : input.starts[index];
      box.classList.toggle('hidden', start === undefined || (plot.cursor.left ?? -1) < 0 || input.shown.length === 0);
      if (start === undefined || index === null || index === undefined) return;
      box.replaceChildren(line(formatStart(start, input.interval), null, null), ...rowsAt(index, input, formats));
      // Beside the cursor, on the side that has room.
      const left = (plot.cursor.left ?? 0) + plot.over.offsetLeft;
      const isRight = left + box.offsetWidth + 16 > element.clientWidth;
      box.style.transform = `translate(${Math.max(0, isRight ? left - box.offsetWidth - 12 : left + 12)}px, 4px)`;
    },
    close: () => box.remove(),
  };
}

function rowsAt(index: number, input: PlotInput, formats: PlotFormats): HTMLElement[] {
  const rows = input.shown
    .map((one) => ({ one, value: one.values[index] ?? null }))
    .filter(({ value }) => value !== null && (value !== 0 || input.shown.length === 1));
  const sum = rows.reduce((total, { value }) => total + (value ?? 0), 0);
  const lines = rows
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
    .slice(0, 10)
    .map(({ one, value }) => line(one.name, formats.format(value ?? 0), one.colour));
  if (rows.length === 0) return [line('nothing', null, null)];
  return input.kind !== 'line' && rows.length > 1 ? [...lines, line('Total', formats.format(sum), null)] : lines;
}

function line(name: string, value: string | null, colour: string | null): HTMLElement {
  const row = document.createElement('div');
  row.className = value === null ? 'mb-0.5 text-muted' : 'flex items-center gap-1.5';
  if (colour !== null) {
    const mark = document.createElement('span');
    mark.className = 'size-2 shrink-0 rounded-sm';
    mark.style.background = `var(${colour})`;
    row.append(mark);
  }
  const label = document.createElement('span');
  label.className = 'min-w-0 flex-1 truncate';
  label.textContent = name;
  row.append(label);
  if (value !== null) {
    const figure = document.createElement('span');
    figure.className = 'pl-3 font-medium';
    figure.textContent = value;
    row.append(figure);
  }
  return row;
}

/** Each series on those before it. */
function stack(all: readonly Values[]): Values[] {
  const sums: number[] = [];
  return all.map((values) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index];
    }),
  );
}

/** Half an interval on each side, so that the first and the last bar are whole. */
function widened(min: number, max: number, count: number): [number, number] {
  const half = count > 1 ? (max - min) / (count - 1) / 2 : 43_200;
  return [min - half, max + half];
}

function axisTime(seconds: number, input: PlotInput): string {
  const at = new Date(seconds * 1000);
  if (input.interval === 'day') return utcDay.format(at);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return isMidnight ? day.format(at) : hour.format(at);
}

/** The colour mixed with the ground: opaque, because a lower part of a stack covers the upper ones. */
function soften(colour: string, ground: string): string {
  const [one, other] = [channels(colour), channels(ground)];
  return `rgb(${one.map((part, index) => Math.round(part * 0.45 + (other[index] ?? 0) * 0.55)).join(' ')})`;
}

function channels(colour: string): number[] {
  // Minified, `#ffffff` is `#fff`.
  const digits = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour;
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

const utcDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
