import { type ReactElement, useMemo, useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Button, Card, EmptyState, PageHeader, Table } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { FILTERS, fitting, sortedModels } from './fitting.ts';
import { modelColumns } from './model-columns.tsx';
import { ModelDrawer } from './model-drawer.tsx';
import { ModelFilters } from './model-filters.tsx';

/** More rows than anyone reads would only slow the page down. */
const STEP = 100;

/** The models of the account; filters, order and the open model are in the URL. */
export default function ModelsPage(): ReactElement {
  const [query, change] = useQueryStates();
  const catalog = useApi('listCatalog', {}, { staleTime: 60_000 });
  const [shown, setShown] = useState(STEP);
  const models = catalog.data?.data;
  const search = query.toString();
  const rows = useMemo(() => {
    const filters = new URLSearchParams(search);
    return models && sortedModels(fitting(models, filters), filters.get('sort'));
  }, [models, search]);
  const order = useSort({ column: 'calls', descending: true });
  const clear = (): void => change(Object.fromEntries(FILTERS.map((name) => [name, null])));
  const open = models?.find(({ id }) => id === query.get('model'));
  return (
    <>
      <PageHeader
        title="Models"
        description="Models available to this account. Prices are in USD per million tokens."
      />
      <Card flush>
        <ModelFilters models={models ?? []} count={rows?.length} />
        <Table
          label="Models"
          columns={modelColumns}
          rows={rows?.slice(0, shown)}
          rowKey={(model) => model.id}
          error={catalog.error}
          retry={() => void catalog.refetch()}
          skeletonRows={10}
          {...order}
          onRowClick={(model) => change({ model: model.id })}
          isSelected={(model) => model.id === open?.id}
          empty={
            models?.length === 0 ? (
              <EmptyState icon="models" title="No models yet">
                Models appear here when an operator adds a provider.
              </EmptyState>
            ) : (
              <EmptyState
                icon="search"
                title="No matching models"
                action={<Button onClick={clear}>Clear filters</Button>}
              />
            )
          }
        />
        {rows !== undefined && rows.length > shown && (
          <div className="flex items-center justify-between gap-3 border-t px-5 py-3 text-sm text-muted">
            {shown} of {formatCount(rows.length)} models
            <Button size="small" onClick={() => setShown(rows.length)}>
              Show all
            </Button>
          </div>
        )}
      </Card>
      <ModelDrawer model={open} onClose={() => change({ model: null })} />
    </>
  );
}
