/** Draws a chart with uPlot: a separate module, fetched with the first chart. */
import UPlot from 'uplot';
import { startOfDay, zoneChoice, zoneFormat } from '../../format/zone.ts';
import type { ChartSeries } from './chart.tsx';
import type { Mark } from './entity-mark.ts';

export interface PlotInput {
  readonly starts: readonly string[];
  readonly kind: 'area' | 'bars' | 'line';
  readonly interval: 'minute' | 'hour' | 'day';
  readonly height: number;
  readonly shown: readonly (ChartSeries & Mark)[];
}

export interface PlotTies {
  /** For the axis: the value, and all values on it. */
  readonly formatAxis: (value: number, together: readonly number[]) => string;
  /** The selected interval; null for none. */
  readonly onPoint: (index: number | null) => void;
}

export interface DrawnPlot {
  /** Selects an interval, as the mouse would. */
  point(index: number | null): void;
  close(): void;
}

/** More bars than that are too thin for a line between their parts. */
const APART_MAX = 62;
/** For counts: there are no halves. */
const COUNT_STEPS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

type Values = readonly (number | null)[];

/** Draws into the element and follows its width. */
export function drawPlot(element: HTMLElement, input: PlotInput, ties: PlotTies): DrawnPlot {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const isStacked = input.kind !== 'line';
  const times = input.starts.map((start) => Date.parse(start) / 1000);
  const values = isStacked ? stack(input.shown.map((one) => one.values)) : input.shown.map((one) => one.values);
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
      padding: [10, 22, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: input.kind === 'line' } },
      tzDate: (seconds) =>
        zoneChoice() === 'utc' ? UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000),
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
          ...(areCounts(values) ? { incrs: COUNT_STEPS } : {}),
          values: (_, splits) => splits.map((value) => (isEmpty ? '' : ties.formatAxis(value, splits))),
        },
      ],
      series: [
        {},
        ...order.map((index): UPlot.Series => {
          const one = input.shown[index];
          const paint = colour(one?.colour ?? '--chart-other');
          const isBar = input.kind === 'bars';
          const bars = isBar ? UPlot.paths.bars?.({ size: [0.75, 36] }) : undefined;
          const ground = soften(paint, colour('--surface'));
          const fill = one?.isStriped ? stripes(paint, ground) : isBar ? paint : ground;
          return {
            // A line in the background colour separates the parts of a bar.
            stroke: isBar ? colour('--surface') : paint,
            show: !isEmpty,
            width: isBar ? (times.length > APART_MAX ? 0 : 1) : 1.5,
            points: { show: times.length === 1 },
            ...(isStacked ? { fill: () => fill } : {}),
            ...(bars === undefined ? {} : { paths: bars }),
          };
        }),
      ],
      hooks: { setCursor: [(self) => ties.onPoint(pointedAt(self))] },
    },
    [times, ...order.map((index) => values[index] ?? [])] as UPlot.AlignedData,
    element,
  );
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: input.height });
  });
  observer.observe(element);
  return {
    point(index) {
      const time = index === null ? undefined : times[index];
      plot.setCursor({ left: time === undefined ? -10 : plot.valToPos(time, 'x'), top: time === undefined ? -10 : 0 });
    },
    close() {
      observer.disconnect();
      plot.destroy();
    },
  };
}

function areCounts(values: readonly Values[]): boolean {
  return values.every((one) => one.every((value) => value === null || Number.isInteger(value)));
}

function pointedAt({ cursor }: UPlot): number | null {
  return (cursor.left ?? -1) < 0 ? null : (cursor.idx ?? null);
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
  return input.interval === 'day' || startOfDay(at.getTime()) === at.getTime() ? day(at) : hour(at);
}

/** Diagonal stripes of the colour on a light tint of it: they distinguish two series of the same colour. */
function stripes(colour: string, ground: string): CanvasPattern | string {
  const size = Math.round(6 * window.devicePixelRatio);
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const brush = tile.getContext('2d');
  if (brush === null) return colour;
  brush.fillStyle = ground;
  brush.fillRect(0, 0, size, size);
  brush.strokeStyle = colour;
  brush.lineWidth = size / 2.6;
  brush.beginPath();
  for (const shift of [-size, 0, size]) {
    brush.moveTo(shift - size / 2, size * 1.5);
    brush.lineTo(shift + size * 1.5, -size / 2);
  }
  brush.stroke();
  return brush.createPattern(tile, 'repeat') ?? colour;
}

/** The colour mixed with the background: opaque, because a lower part of a stack covers the upper ones. */
function soften(colour: string, ground: string): string {
  const [one, other] = [channels(colour), channels(ground)];
  return `rgb(${one.map((part, index) => Math.round(part * 0.45 + (other[index] ?? 0) * 0.55)).join(' ')})`;
}

function channels(colour: string): number[] {
  // Minified, `#ffffff` is `#fff`.
  const digits = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour;
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

const day = zoneFormat({ day: 'numeric', month: 'short' });
const hour = zoneFormat({ hour: '2-digit', minute: '2-digit' });
