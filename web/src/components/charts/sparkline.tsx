import type { ReactElement } from 'react';

export interface SparklineProps {
  readonly values: readonly number[];
  readonly className?: string;
}

/** The course of a figure without scales: decoration next to the figure itself. */
export function Sparkline({ values, className }: SparklineProps): ReactElement | null {
  if (values.length < 2) return null;
  const most = Math.max(...values, 0);
  const points = values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * 100;
      const y = most === 0 ? 27 : 27 - (value / most) * 25;
      return `${x.toFixed(2)},${y.toFixed(2)}`;
    })
    .join(' ');
  return (
    <svg aria-hidden="true" viewBox="0 0 100 28" preserveAspectRatio="none" className={className ?? 'h-7 w-full'}>
      <polygon points={`0,28 ${points} 100,28`} fill="var(--accent-soft)" />
      <polyline
        points={points}
        fill="none"
        stroke="var(--accent-text)"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
