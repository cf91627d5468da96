import type { ReactNode } from 'react';
import { formatMs } from '../../format/figures.ts';
import { formatUsd } from '../../format/money.ts';
import { FILTER_LABELS, FILTER_NAMES, type FilterName, type FilterState } from './call-filters.ts';
import { ENDING_NAMES, statusName } from './call-words.ts';
import { type Chip, KeyName, ProjectName } from './filter-chips.tsx';
import type { TimeFilter } from './use-time-filter.ts';

export function callChips({ filters, change }: FilterState, time: TimeFilter): readonly Chip[] {
  const chips = FILTER_NAMES.filter(
    (name) => filters[name] !== undefined && !isShownElsewhere(name, filters[name]),
  ).map(
    (name): Chip => ({
      id: name,
      label: FILTER_LABELS[name],
      value: shownValue(name, filters[name] ?? ''),
      remove: () => change({ [name]: null }),
    }),
  );
  if (time.name === 'any') return chips;
  return [...chips, { id: 'time', label: 'Time', value: time.words, remove: () => time.setSpan('any') }];
}

/** Of the status, all, OK and failed are chosen above the list. */
function isShownElsewhere(name: FilterName, value: string | undefined): boolean {
  return name === 'status' && (value === 'ok' || value === 'failed');
}

function shownValue(name: FilterName, value: string): ReactNode {
  switch (name) {
    case 'status':
      return statusName(value);
    case 'ending':
      return (ENDING_NAMES as Readonly<Record<string, string>>)[value] ?? value;
    case 'key':
      return <KeyName id={value} />;
    case 'project':
      return <ProjectName id={value} />;
    case 'streamed':
      return value === 'true' ? 'yes' : 'no';
    case 'min_charge':
      return formatUsd(value);
    case 'min_duration_ms':
      return formatMs(Number(value));
    default:
      return value;
  }
}
