import type { ReactNode } from 'react';
import { type Chip, KeyName, ProjectName } from '../calls/filter-chips.tsx';
import { GROUP_LABELS, GROUPS, type GroupName, type UsageState } from './use-usage-query.ts';

export function usageChips({ filters, change }: UsageState): readonly Chip[] {
  return GROUPS.flatMap((name): readonly Chip[] => {
    const value = filters[name];
    if (value === undefined) return [];
    return [
      { id: name, label: GROUP_LABELS[name], value: shownValue(name, value), remove: () => change({ [name]: null }) },
    ];
  });
}

function shownValue(name: GroupName, value: string): ReactNode {
  if (name === 'key') return <KeyName id={value} />;
  return name === 'project' ? <ProjectName id={value} /> : value;
}
