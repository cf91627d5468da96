import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Skeleton } from './skeleton.tsx';
import { ErrorState } from './states.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand right. */
  readonly align?: 'left' | 'right';
  /** Sorts rows by this; without it the column cannot be sorted. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** The title of the card on a phone: the first column unless another one says so. */
  readonly isTitle?: boolean;
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
  /** No label beside it on a phone, and no heading to see: for a menu. */
  readonly isAction?: boolean;
  readonly className?: string;
}

export interface TableProps<Row> {
  /** What the rows are, for screen readers: `Keys`. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string | number;
  /** An `<EmptyState>`. */
  readonly empty?: ReactNode;
  readonly loading?: boolean;
  readonly error?: unknown;
  readonly retry?: () => void;
  /** `{ column, descending }`, kept by the page: in the address, best. */
  readonly sort?: Sort | null;
  readonly onSort?: (sort: Sort) => void;
  /** A click anywhere on the row. There must be a link or a button in it too, for the keyboard. */
  readonly onRowClick?: (row: Row) => void;
  readonly isSelected?: (row: Row) => boolean;
  /** Rows of which something is wrong; that must be said in words, too. */
  readonly isBad?: (row: Row) => boolean;
  readonly skeletonRows?: number;
  readonly footer?: ReactNode;
}

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** A table that is a list of cards below 640 px. Put it into `<Card flush>`. */
export function Table<Row>(props: TableProps<Row>): ReactElement {
  const { label, columns, rows, rowKey, empty, loading, error, retry, sort, onRowClick, isSelected } = props;
  if (error !== null && error !== undefined && rows === undefined) return <ErrorState error={error} retry={retry} />;
  if (rows === undefined || (loading && rows.length === 0)) return <TableSkeleton rows={props.skeletonRows ?? 5} />;
  if (rows.length === 0) return <>{empty ?? <p className="px-5 py-10 text-center text-muted">Nothing here.</p>}</>;
  const titleId = columns.find((column) => column.isTitle)?.id ?? columns[0]?.id;
  return (
    <div className="max-sm:px-0 sm:overflow-x-auto">
      <table className="w-full border-collapse text-left max-sm:block" aria-label={label}>
        <thead className="max-sm:sr-only">
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort ?? null} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {sorted(rows, columns, sort ?? null).map((row) => (
            <tr
              key={rowKey(row)}
              onClick={onRowClick === undefined ? undefined : (event) => clickedBeside(event.target) && onRowClick(row)}
              aria-selected={isSelected?.(row) || undefined}
              className={classNames(
                'border-t max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:px-5 max-sm:py-3',
                onRowClick !== undefined && 'cursor-pointer hover:bg-sunken',
                isSelected?.(row) ? 'bg-accent-soft' : props.isBad?.(row) && 'bg-bad-soft',
              )}
            >
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} isTitle={column.id === titleId} />
              ))}
            </tr>
          ))}
        </tbody>
        {props.footer !== undefined && <tfoot>{props.footer}</tfoot>}
      </table>
    </div>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isTitle: boolean;
}

function Cell<Row>({ column, row, isTitle }: CellProps<Row>): ReactElement {
  return (
    <td
      className={classNames(
        // A name without a space neither pushes the other columns out nor widens a phone.
        'align-middle wrap-break-word max-sm:wrap-anywhere max-sm:[&>*]:min-w-0 sm:px-3 sm:py-2.5 sm:first:pl-5 sm:last:pr-5',
        column.align === 'right' && 'text-right',
        column.wideOnly && 'max-sm:hidden',
        !column.isAction && column.className === undefined && (isTitle ? 'sm:min-w-32 sm:max-w-72' : 'sm:max-w-64'),
        isTitle && 'max-sm:col-start-1 max-sm:row-start-1 max-sm:pb-1 max-sm:text-left',
        column.isAction && 'max-sm:col-start-2 max-sm:row-start-1 sm:w-px text-right whitespace-nowrap',
        !isTitle &&
          !column.isAction &&
          'max-sm:col-span-2 max-sm:flex max-sm:min-w-0 max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:py-1 max-sm:text-right',
        column.className,
      )}
    >
      {!isTitle && !column.isAction && (
        <span aria-hidden="true" className="shrink-0 text-sm text-muted sm:hidden">
          {column.header}
        </span>
      )}
      {column.cell(row)}
    </td>
  );
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | null;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>): ReactElement {
  const isSorted = sort?.column === column.id;
  const canSort = column.sortBy !== undefined && onSort !== undefined;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={classNames(
        'px-3 py-2 text-sm font-normal whitespace-nowrap text-muted first:pl-5 last:pr-5',
        column.align === 'right' && 'text-right',
      )}
    >
      {column.isAction ? (
        <span className="sr-only">{column.header}</span>
      ) : canSort ? (
        <button
          type="button"
          className="inline-flex items-center gap-1 rounded hover:text-text"
          onClick={() =>
            onSort({ column: column.id, descending: isSorted ? !sort.descending : column.align === 'right' })
          }
        >
          {column.header}
          {isSorted && <Icon name={sort.descending ? 'down' : 'up'} className="size-3" />}
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

function TableSkeleton({ rows }: { readonly rows: number }): ReactElement {
  return (
    <div aria-busy="true" className="flex flex-col gap-4 px-5 py-4">
      <span className="sr-only">Loading …</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <Skeleton key={row} className="h-5" />
      ))}
    </div>
  );
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): readonly Row[] {
  const sortBy = columns.find((column) => column.id === sort?.column)?.sortBy;
  if (sort === null || sortBy === undefined) return rows;
  const direction = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => compare(sortBy(one), sortBy(other), direction));
}

/** What has no value comes last, whichever the direction. */
function compare(one: string | number | null, other: string | number | null, direction: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return (one - other) * direction;
  return String(one).localeCompare(String(other)) * direction;
}

/** A click on a link, a button or a menu within a row is theirs, and marking text is no click. */
function clickedBeside(target: EventTarget): boolean {
  if (!(target instanceof Element) || window.getSelection()?.toString()) return false;
  return target.closest('a, button, input, select, label, [role="menu"], [role="menuitem"]') === null;
}
