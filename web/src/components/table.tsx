import { Fragment, type ReactElement, type ReactNode } from 'react';
import type { Usd } from '../format/money.ts';
import { AvailableMoney, Money } from './charts/figures.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Skeleton } from './skeleton.tsx';
import { ErrorState } from './states.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  /** `amount` is the column's own, as it is shown. */
  readonly cell?: (row: Row, amount: ReactElement) => ReactNode;
  /** USD: all of a column, its total included, have the same decimals. Without a `cell` it is the whole cell. */
  readonly amount?: (row: Row) => Usd;
  /** The amount is available to spend: rounded down. */
  readonly isAvailable?: boolean;
  /** Aligned right, for figures. */
  readonly align?: 'left' | 'right';
  /** Sorts rows by this; without it the column cannot be sorted. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** The title of the card on a phone: the first column unless another one says so. */
  readonly isTitle?: boolean;
  /** Its position if a row is two lines on a phone instead of a card: then only columns with a position are shown there. */
  readonly place?: Place;
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
  /** No label next to it on a phone, and no visible heading: for a menu. */
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
  /**
   * `{ column, descending }`, kept by the page, preferably in the address. The heading shows it also if only the API
   * sorts, whose order the rows then keep.
   */
  readonly sort?: Sort | null;
  /** Without it headings are not clickable: if the table does not have all rows, it would sort only those. */
  readonly onSort?: ((sort: Sort) => void) | undefined;
  /** A click anywhere on the row. There must be a link or a button in it too, for the keyboard. */
  readonly onRowClick?: (row: Row) => void;
  readonly isSelected?: (row: Row) => boolean;
  /** Rows with a problem; it must be stated in text, too. */
  readonly isBad?: (row: Row) => boolean;
  /** A note below a row, over the full width; null for most. */
  readonly noteOf?: (row: Row) => ReactNode;
  readonly skeletonRows?: number;
  /** The sums of all rows, as a last one that is never sorted. */
  readonly total?: Row;
}

/** On a phone's two lines: the first has `title` and `figure`, the second the rest from left to right. */
export type Place = 'title' | 'figure' | 'first' | 'second' | 'third' | 'last';

const PLACES: Readonly<Record<Place, string>> = {
  title: 'max-sm:col-span-3 max-sm:col-start-1 max-sm:row-start-1',
  figure: 'max-sm:col-start-4 max-sm:row-start-1 max-sm:text-right',
  first: 'max-sm:col-start-1 max-sm:row-start-2 max-sm:text-xs max-sm:text-muted',
  second: 'max-sm:col-start-2 max-sm:row-start-2 max-sm:text-xs',
  third: 'max-sm:col-start-3 max-sm:row-start-2 max-sm:truncate max-sm:text-left max-sm:text-xs max-sm:text-muted',
  last: 'max-sm:col-start-4 max-sm:row-start-2 max-sm:text-right max-sm:text-xs max-sm:text-muted',
};

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** A table that is a list of cards below 640 px, or of two lines each. Put it into `<Card flush>`. */
export function Table<Row>(props: TableProps<Row>): ReactElement {
  const { label, columns, rows, rowKey, empty, loading, error, retry, sort, total } = props;
  if (error !== null && error !== undefined && rows === undefined) return <ErrorState error={error} retry={retry} />;
  if (rows === undefined || (loading && rows.length === 0)) return <TableSkeleton rows={props.skeletonRows ?? 5} />;
  if (rows.length === 0) return <>{empty ?? <p className="px-5 py-10 text-center text-muted">Nothing to show.</p>}</>;
  const isPlaced = columns.some(({ place }) => place !== undefined);
  const cells = cellsOf(columns, total === undefined ? rows : [...rows, total], isPlaced);
  return (
    <div className="max-sm:px-0 sm:overflow-x-auto">
      <table className="w-full border-collapse text-left max-sm:block" aria-label={label}>
        <thead className="max-sm:sr-only">
          <tr>
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                sort={sort ?? null}
                onSort={props.onSort}
                isPlaced={isPlaced}
              />
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {sorted(rows, columns, sort ?? null).map((row) => (
            <Fragment key={rowKey(row)}>
              <BodyRow table={props} row={row} className={cells.rowClass}>
                {cells.of(row)}
              </BodyRow>
              <NoteRow table={props} row={row} />
            </Fragment>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot className="max-sm:block">
            <tr className={classNames(cells.rowClass, 'font-medium')}>{cells.of(total)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

interface RowProps<Row> {
  readonly table: TableProps<Row>;
  readonly row: Row;
}

function BodyRow<Row>({
  table: { onRowClick, isSelected, isBad },
  row,
  className,
  children,
}: RowProps<Row> & { readonly className?: string; readonly children: ReactNode }): ReactElement {
  return (
    <tr
      onClick={onRowClick === undefined ? undefined : (event) => clickedBeside(event.target) && onRowClick(row)}
      aria-selected={isSelected?.(row) || undefined}
      className={classNames(
        className,
        onRowClick !== undefined && 'cursor-pointer hover:bg-sunken',
        isSelected?.(row) ? 'bg-accent-soft' : isBad?.(row) && 'bg-bad-soft',
      )}
    >
      {children}
    </tr>
  );
}

function NoteRow<Row>({ table, row }: RowProps<Row>): ReactElement | null {
  const note = table.noteOf?.(row) ?? null;
  if (note === null) return null;
  return (
    <BodyRow table={table} row={row} className="max-sm:block">
      <td colSpan={table.columns.length} className="px-5 pb-2.5 text-sm max-sm:block">
        {note}
      </td>
    </BodyRow>
  );
}

interface Cells<Row> {
  readonly rowClass: string;
  readonly of: (row: Row) => readonly ReactElement[];
}

function cellsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], isPlaced: boolean): Cells<Row> {
  const titleId = columns.find((column) => column.isTitle)?.id ?? columns[0]?.id;
  const amounts = columns.map(({ amount }) => (amount === undefined ? [] : rows.map(amount)));
  return {
    rowClass: `border-t max-sm:grid max-sm:px-5 ${
      isPlaced
        ? 'max-sm:grid-cols-[auto_auto_minmax(0,1fr)_auto] max-sm:items-center max-sm:gap-x-2.5 max-sm:gap-y-0.5 max-sm:py-2.5'
        : 'max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:py-3'
    }`,
    of: (row) =>
      columns.map((column, index) => {
        const content = contentOf(column, row, amounts[index] ?? []);
        return isPlaced ? (
          <PlacedCell key={column.id} column={column} content={content} />
        ) : (
          <CardCell key={column.id} column={column} content={content} isTitle={column.id === titleId} />
        );
      }),
  };
}

function contentOf<Row>(column: Column<Row>, row: Row, together: readonly Usd[]): ReactNode {
  const Amount = column.isAvailable ? AvailableMoney : Money;
  const amount = <Amount usd={column.amount?.(row)} together={together} />;
  return column.cell === undefined ? amount : column.cell(row, amount);
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly content: ReactNode;
}

/** A row that is one line, and two on a phone. */
function PlacedCell<Row>({ column, content }: CellProps<Row>): ReactElement {
  return (
    <td
      className={classNames(
        'min-w-0 align-middle whitespace-nowrap sm:px-2.5 sm:py-2 sm:first:pl-5 sm:last:pr-5',
        column.align === 'right' && 'sm:text-right',
        column.place === undefined ? 'max-sm:hidden' : PLACES[column.place],
        column.className,
      )}
    >
      {content}
    </td>
  );
}

function CardCell<Row>({ column, content, isTitle }: CellProps<Row> & { readonly isTitle: boolean }): ReactElement {
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
      {content}
    </td>
  );
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | null;
  readonly onSort: ((sort: Sort) => void) | undefined;
  readonly isPlaced: boolean;
}

function HeaderCell<Row>({ column, sort, onSort, isPlaced }: HeaderCellProps<Row>): ReactElement {
  const isSorted = sort?.column === column.id;
  const canSort = column.sortBy !== undefined && onSort !== undefined;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={classNames(
        'py-2 text-sm font-normal whitespace-nowrap first:pl-5 last:pr-5',
        isPlaced ? 'px-2.5' : 'px-3',
        isSorted ? 'text-text' : 'text-muted',
        column.align === 'right' && 'text-right',
      )}
    >
      {column.isAction ? (
        <span className="sr-only">{column.header}</span>
      ) : canSort ? (
        <button
          type="button"
          className="group inline-flex items-center gap-1 rounded align-middle hover:text-text"
          onClick={() =>
            onSort({ column: column.id, descending: isSorted ? !sort.descending : column.align === 'right' })
          }
        >
          <Sorted column={column} sort={isSorted ? sort : null} canSort />
        </button>
      ) : (
        <span className="inline-flex items-center gap-1 align-middle">
          <Sorted column={column} sort={isSorted ? sort : null} />
        </span>
      )}
    </th>
  );
}

interface SortedProps<Row> {
  readonly column: Column<Row>;
  /** This column's; null if another column sorts the rows. */
  readonly sort: Sort | null;
  readonly canSort?: boolean;
}

/** Left of the heading of figures, so that the heading ends where they do; its space is reserved when it is hidden. */
function Sorted<Row>({ column, sort, canSort }: SortedProps<Row>): ReactElement {
  const isDown = sort === null ? column.align === 'right' : sort.descending;
  const arrow = (sort !== null || canSort) && (
    <Icon
      name={isDown ? 'down' : 'up'}
      className={classNames(
        'size-3',
        sort === null && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
      )}
    />
  );
  return column.align === 'right' ? (
    <>
      {arrow}
      {column.header}
    </>
  ) : (
    <>
      {column.header}
      {arrow}
    </>
  );
}

function TableSkeleton({ rows }: { readonly rows: number }): ReactElement {
  return (
    <div aria-busy="true" className="flex flex-col gap-4 px-5 py-4">
      <span className="sr-only">Loading…</span>
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

/** Rows without a value come last, in either direction. */
function compare(one: string | number | null, other: string | number | null, direction: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return (one - other) * direction;
  return String(one).localeCompare(String(other)) * direction;
}

/** A click on a link, a button or a menu within a row is not a click on the row, nor is selecting text. */
function clickedBeside(target: EventTarget): boolean {
  if (!(target instanceof Element) || window.getSelection()?.toString()) return false;
  return target.closest('a, button, input, select, label, [role="menu"], [role="menuitem"]') === null;
}
