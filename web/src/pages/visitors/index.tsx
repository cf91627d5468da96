import { type ReactElement, useDeferredValue, useMemo, useState } from 'react';
import { Button, Card, EmptyState, PageHeader, Table } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { CompareModels } from './compare-models.tsx';
import { COMPARED_MAX, comparedIds, FILTERS, inOrder, matching, withCompared } from './matching.ts';
import { type ShownModel, useShownModels } from './shown-model.ts';
import { visitorColumns } from './visitor-columns.tsx';
import { VisitorFilters } from './visitor-filters.tsx';
import { VisitorHeader } from './visitor-header.tsx';

/** Rows that are added at a time: thousands would slow the page down. */
const STEP = 100;
const FIRST_SORT = 'name';

/** The models, for somebody who is not signed in. Filters, order and comparison are in the URL. */
export default function VisitorModelsPage(): ReactElement {
  const [query, change] = useQueryStates();
  const { data, error, refetch } = useShownModels();
  const [shown, setShown] = useState(STEP);
  const search = useDeferredValue(query.toString());
  const rows = useMemo(() => {
    const filters = new URLSearchParams(search);
    return data && inOrder(matching(data.models, filters), filters.get('sort') ?? FIRST_SORT);
  }, [data, search]);
  const sort = query.get('sort') ?? FIRST_SORT;
  const ids = comparedIds(query);
  const compare = (next: readonly string[]): void => change({ compare: next.join(',') });
  const columns = visitorColumns({
    has: (id) => ids.includes(id),
    isFull: ids.length === COMPARED_MAX,
    set: (id, isCompared) => compare(withCompared(ids, id, isCompared)),
  });
  const compared = useMemo(() => modelsOf(data?.models ?? [], query.get('compare') ?? ''), [data, query]);
  return (
    <>
      <VisitorHeader />
      <main className="mx-auto max-w-6xl px-4 py-6 sm:px-8 md:py-8">
        <PageHeader
          title="Models"
          description="Prices are in USD per million tokens. Time to first token and uptime are measured on this gateway’s own requests."
        />
        {compared.length > 0 && (
          <CompareModels
            models={compared}
            onRemove={(id) => compare(withCompared(ids, id, false))}
            onClear={() => compare([])}
          />
        )}
        <Card flush>
          <VisitorFilters models={data?.models ?? []} count={rows?.length} />
          <Table
            label="Models"
            columns={columns}
            rows={rows?.slice(0, shown)}
            rowKey={(model) => model.id}
            error={error}
            retry={() => void refetch()}
            skeletonRows={10}
            sort={{ column: sort.replace(/^-/, ''), descending: sort.startsWith('-') }}
            onSort={({ column, descending }) => change({ sort: `${descending ? '-' : ''}${column}` })}
            isSelected={(model) => ids.includes(model.id)}
            empty={
              data?.models.length === 0 ? (
                <EmptyState icon="models" title="No models yet" />
              ) : (
                <EmptyState
                  icon="search"
                  title="No matching models"
                  action={
                    <Button onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
                      Clear filters
                    </Button>
                  }
                />
              )
            }
          />
          {rows !== undefined && rows.length > shown && (
            <div className="flex items-center justify-between gap-3 border-t px-5 py-3 text-sm text-muted">
              {formatCount(shown)} of {formatCount(rows.length)} models
              <Button size="small" onClick={() => setShown(shown + STEP)}>
                Show {STEP} more
              </Button>
            </div>
          )}
        </Card>
        {data !== undefined && data.totalCount > data.models.length && (
          <p className="mt-3 text-sm text-muted">
            The first {formatCount(data.models.length)} of {formatCount(data.totalCount)} models. Sign in to see all.
          </p>
        )}
      </main>
    </>
  );
}

/** Those of the comparison, in the order in which they were chosen. */
function modelsOf(models: readonly ShownModel[], compare: string): readonly ShownModel[] {
  const ids = comparedIds(new URLSearchParams({ compare }));
  if (ids.length === 0) return [];
  const byId = new Map(models.filter(({ id }) => ids.includes(id)).map((model) => [model.id, model]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
