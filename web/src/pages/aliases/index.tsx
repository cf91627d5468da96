import { type ReactElement, useState } from 'react';
import { useMay, useSession } from '../../api/session.ts';
import type { Alias } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Button, Card, EmptyState, PageHeader, Table } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { aliasColumns } from './alias-columns.tsx';
import { AliasDialog } from './alias-dialog.tsx';
import { DeleteAliasDialog } from './delete-alias-dialog.tsx';

type StoredAlias = Alias & { readonly id: number };

/** In the URL, for the dialogs: `new` and `edit` (an alias's id). */
export default function AliasesPage(): ReactElement {
  const [query, change] = useQueryStates();
  const aliases = useApi('listAliases', {});
  const mayManage = useMay('admin');
  const isOperator = useSession().user.is_operator;
  const [removing, setRemoving] = useState<StoredAlias | null>(null);
  const rows = aliases.data?.data;
  const mayEdit = (alias: Alias): alias is StoredAlias =>
    alias.id !== null && (alias.scope === 'installation' ? isOperator : mayManage);
  const edited = rows?.find((alias): alias is StoredAlias => mayEdit(alias) && String(alias.id) === query.get('edit'));
  const columns = aliasColumns({
    mayEdit,
    edit: (alias) => change({ edit: String(alias.id) }),
    remove: (alias) => setRemoving(mayEdit(alias) ? alias : null),
  });
  const order = useSort({ column: 'name', descending: false });
  return (
    <>
      <PageHeader
        title="Aliases"
        description="Names that requests can use in place of a model ID."
        actions={
          mayManage && (
            <Button kind="primary" icon="plus" onClick={() => change({ new: '1' })}>
              Create alias
            </Button>
          )
        }
      />
      <Card flush>
        <Table
          label="Aliases"
          columns={columns}
          rows={rows}
          rowKey={({ id, name }) => id ?? name}
          {...order}
          error={aliases.error}
          retry={() => void aliases.refetch()}
          empty={
            <EmptyState icon="aliases" title="No aliases">
              An alias such as fast leads to a model of your choice. Change the model later, or try a new one with a
              part of the requests, without a change in any application.
            </EmptyState>
          }
        />
      </Card>
      {mayManage && query.get('new') === '1' && (
        <AliasDialog alias={null} isOperator={isOperator} onClose={() => change({ new: null })} />
      )}
      {edited !== undefined && (
        <AliasDialog key={edited.id} alias={edited} isOperator={isOperator} onClose={() => change({ edit: null })} />
      )}
      {removing !== null && <DeleteAliasDialog alias={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}
