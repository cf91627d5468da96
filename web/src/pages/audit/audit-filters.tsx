import type { ReactElement } from 'react';
import { useSession } from '../../api/session.ts';
import type { AuditEntry } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Combobox, Select, Switch } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { NOUN_FILTERS } from './describe-action.ts';

/** Actors in `rows` can be chosen as well: members leave, and their entries stay. */
export function AuditFilters({ rows }: { readonly rows: readonly AuditEntry[] }): ReactElement {
  const { user } = useSession();
  const [query, change] = useQueryStates();
  const members = useApi('listMembers', {}, { staleTime: 60_000 });
  const action = query.get('action') ?? '';
  const actor = query.get('actor');
  const people = new Map<string, string>();
  if (actor !== null) people.set(actor, `User ${actor}`);
  for (const entry of rows) {
    if (entry.actor.kind === 'user' && entry.actor.id !== null) people.set(String(entry.actor.id), entry.actor.name);
  }
  for (const member of members.data?.data ?? []) people.set(String(member.user.id), member.user.name);
  // A link may name a single action, or one that the list does not offer.
  const isOffered = NOUN_FILTERS.some(({ value }) => value === action);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <Select
        aria-label="Type of change"
        className="w-full sm:w-44"
        value={action}
        onChange={(chosen) => change({ action: chosen, entry: null })}
        options={isOffered ? NOUN_FILTERS : [...NOUN_FILTERS, { value: action, label: action }]}
      />
      <Combobox
        aria-label="Changed by"
        className="w-full sm:w-60"
        placeholder="Any actor"
        value={actor}
        onChange={(chosen) => change({ actor: chosen, entry: null })}
        options={[...people].map(([value, label]) => ({ value, label }))}
        none="No matches."
      />
      {user.is_operator && (
        <Switch
          checked={query.get('everywhere') === '1'}
          onChange={(isOn) => change({ everywhere: isOn ? '1' : null, entry: null })}
          label="All accounts"
        />
      )}
    </div>
  );
}
