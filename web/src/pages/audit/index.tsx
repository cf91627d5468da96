import { type ReactElement, useState } from 'react';
import { useSession } from '../../api/session.ts';
import type { AuditEntry } from '../../api/types.ts';
import { useAddress, usePages } from '../../api/use-api.ts';
import {
  Button,
  Card,
  EmptyState,
  LinkButton,
  LoadMore,
  PageHeader,
  Table,
  ZoneSwitch,
} from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { NEWEST_FIRST } from '../../navigation/use-sort.ts';
import { auditColumns } from './audit-columns.tsx';
import { AuditDrawer } from './audit-drawer.tsx';
import { AuditFilters } from './audit-filters.tsx';

/** Who changed what; the filters and the open entry are in the URL. */
export default function AuditPage(): ReactElement {
  const { user } = useSession();
  const [query, change] = useQueryStates();
  const isEverywhere = user.is_operator && query.get('everywhere') === '1';
  const action = query.get('action') ?? '';
  const actor = query.get('actor') ?? '';
  const asked = {
    everywhere: isEverywhere ? 'true' : 'false',
    ...(action === '' ? {} : { action }),
    ...(actor === '' ? {} : { actor }),
  } as const;
  const entries = usePages('listAudit', { query: { ...asked, limit: 50 } }, { keepPrevious: true });
  const csv = useAddress('listAudit')({ query: { ...asked, format: 'csv' } });
  const isFiltered = action !== '' || actor !== '';
  const open = useOpenEntry(entries.rows, query.get('entry'));
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what, newest first. Secrets are never recorded."
        actions={
          <>
            <LinkButton href={csv} download icon="download">
              Export CSV
            </LinkButton>
            <ZoneSwitch />
          </>
        }
      />
      <Card flush>
        <AuditFilters rows={entries.rows} />
        <Table
          label="Changes"
          columns={auditColumns(isEverywhere)}
          rows={entries.data && entries.rows}
          rowKey={(entry) => entry.id}
          error={entries.error}
          retry={() => void entries.refetch()}
          sort={NEWEST_FIRST}
          skeletonRows={8}
          onRowClick={(entry) => change({ entry: String(entry.id) })}
          isSelected={(entry) => entry.id === open?.id}
          empty={
            isFiltered ? (
              <EmptyState
                icon="search"
                title="No matching changes"
                action={<Button onClick={() => change({ action: null, actor: null })}>Clear filters</Button>}
              />
            ) : (
              <EmptyState icon="audit" title="No changes yet">
                Changes to keys, projects, members and settings are recorded here.
              </EmptyState>
            )
          }
        />
        <LoadMore pages={entries} shown={entries.rows.length === 1 ? '1 change' : `${entries.rows.length} changes`} />
      </Card>
      <AuditDrawer entry={open} onClose={() => change({ entry: null })} />
    </>
  );
}

/** The entry named in the URL. It stays open when a refreshed list no longer contains it. */
function useOpenEntry(rows: readonly AuditEntry[], id: string | null): AuditEntry | undefined {
  const found = rows.find((row) => String(row.id) === id);
  const [kept, setKept] = useState(found);
  if (found !== undefined && found !== kept) setKept(found);
  if (id === null) return undefined;
  return found ?? (String(kept?.id) === id ? kept : undefined);
}
