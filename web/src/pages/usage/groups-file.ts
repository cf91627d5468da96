/** Every group of a report as a JSON file. */
import type { Answer } from '../../api/client.ts';
import { call } from '../../api/client.ts';
import { useAccountId } from '../../api/session.ts';
import { zoneFormat } from '../../format/zone.ts';
import type { UsageState } from './use-usage-query.ts';

export type GroupRow = Answer<'listUsageGroups'>['data'][number];

const PAGE = 200;

/** Gives back how to save it. Throws `ApiError`. */
export function useGroupsFile({ query, groupBy }: UsageState): () => Promise<void> {
  const account = useAccountId();
  return async () => {
    const groups: GroupRow[] = [];
    const asked = {
      ...query,
      group_by: groupBy,
      limit: PAGE,
      ...(account === null ? {} : { account: String(account) }),
    };
    for (let cursor: string | null = null; ; ) {
      const page: Answer<'listUsageGroups'> = await call('listUsageGroups', {
        query: { ...asked, ...(cursor === null ? {} : { cursor }) },
      });
      groups.push(...page.data);
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    const { from, to, time_zone } = query;
    const text = `${JSON.stringify({ from, to, time_zone, group_by: groupBy, groups }, null, 2)}\n`;
    saveFile(`usage-by-${groupBy}-${dayOf(from)}-to-${dayOf(lastOf(to))}.json`, text);
  };
}

/** As the server names its tables: both days are in the file. */
function lastOf(to: string): number {
  return Math.min(Date.parse(to) - 1, Date.now());
}

const inZone = zoneFormat({ year: 'numeric', month: '2-digit', day: '2-digit' });

/** `2026-11-16`, in the page's zone. */
function dayOf(at: string | number): string {
  return inZone(at).split('/').reverse().join('-');
}

function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
