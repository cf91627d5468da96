import type { ReactElement } from 'react';
import { formatStart } from '../../format/figures.ts';
import type { WholeChart } from './chart.tsx';

/** The figures of a chart, by time and series. */
export function ChartTable({ label, starts, series, format, interval }: WholeChart): ReactElement {
  const together = series.flatMap((one) => one.values.filter((value) => value !== null));
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      aria-label={label}
      className="max-h-80 overflow-auto rounded border"
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
                  {formatValue(one.values[index])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

  function formatValue(value: number | null | undefined): string {
    return value === null || value === undefined ? '–' : format(value, together);
  }
}
