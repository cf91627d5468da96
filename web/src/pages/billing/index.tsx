import { type ReactElement, useCallback, useRef } from 'react';
import { useAccount, useInstallation, useIsClosed, useSession } from '../../api/session.ts';
import { useAddress, useApi, usePages } from '../../api/use-api.ts';
import {
  Button,
  Card,
  EmptyState,
  ErrorNote,
  ErrorState,
  LinkButton,
  Note,
  PageHeader,
  Table,
} from '../../components/index.ts';
import { monthName } from '../../format/figures.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { NEWEST_FIRST } from '../../navigation/use-sort.ts';
import { FilterChips } from '../calls/filter-chips.tsx';
import { SearchedTo, StaleNote } from '../calls/searched-to.tsx';
import { Segments } from '../calls/segments.tsx';
import { TimeSelect } from '../calls/time-select.tsx';
import { useTimeFilter } from '../calls/use-time-filter.ts';
import { BalanceTiles } from './balance-tiles.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { AddMoney, ModeNote } from './mode-note.tsx';
import { Months } from './months.tsx';
import { movementColumns, movementKey } from './movement-columns.tsx';
import { RefundDialog } from './refund-dialog.tsx';

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'charges', label: 'Charges' },
  { value: 'entries', label: 'Entries' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

export default function BillingPage(): ReactElement {
  const { billing_mode } = useInstallation();
  const { user } = useSession();
  const [dialog, setDialog] = useQueryState('add');
  const account = useAccount();
  const isClosed = useIsClosed();
  const mayEnter = user.is_operator && billing_mode !== 'off' && account !== null;
  return (
    <>
      <PageHeader
        title="Billing"
        description="Balance and transactions."
        actions={
          mayEnter && (
            <>
              <Button onClick={() => setDialog('refund')}>Refund request</Button>
              <Button kind={isClosed ? 'secondary' : 'primary'} icon="plus" onClick={() => setDialog('1')}>
                {isClosed ? 'Post correction' : 'Add credit'}
              </Button>
            </>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <ModeNote mode={billing_mode} />
        {billing_mode !== 'off' && <Balance />}
        {billing_mode === 'prepaid' && !isClosed && <AddMoney />}
        <History hasMonths={billing_mode !== 'off'} />
      </div>
      {mayEnter && dialog === '1' && <EntryDialog onClose={() => setDialog('')} />}
      {mayEnter && dialog === 'refund' && <RefundDialog call="" onClose={() => setDialog('')} />}
    </>
  );
}

function Balance(): ReactElement {
  const isClosed = useIsClosed();
  const { data, error, refetch } = useApi('readBalance', {}, { refetchInterval: 30_000 });
  if (data === undefined && error !== null) {
    return (
      <Card flush>
        <ErrorState title="Could not load the balance" error={error} retry={() => void refetch()} />
      </Card>
    );
  }
  const balance = data?.data;
  const isEmpty =
    !isClosed && balance?.billing_mode === 'prepaid' && balance.available !== null && balance.available <= 0;
  return (
    <>
      {isEmpty && <Note tone="warn">No credit left. Paid requests are rejected until credit is added.</Note>}
      <BalanceTiles balance={balance} />
      {balance !== undefined && <ErrorNote error={error} />}
    </>
  );
}

function History({ hasMonths }: { readonly hasMonths: boolean }): ReactElement {
  const [month, setMonth] = useQueryState('month');
  const ledger = useRef<HTMLDivElement>(null);
  const choose = useCallback(
    (chosen: string) => {
      setMonth(chosen);
      ledger.current?.scrollIntoView({ block: 'start' });
    },
    [setMonth],
  );
  return (
    <>
      {hasMonths && <Months chosen={month} choose={choose} />}
      <div ref={ledger} className="scroll-mt-14">
        <Ledger month={month} clear={() => setMonth('')} />
      </div>
    </>
  );
}

function Ledger({ month, clear }: { readonly month: string; readonly clear: () => void }): ReactElement {
  const [asked, setKind] = useQueryState('kind', 'all');
  const kind: Kind = KINDS.find((each) => each.value === asked)?.value ?? 'all';
  const time = useTimeFilter();
  const query = month === '' ? { kind, from: time.from, to: time.to } : { kind, month };
  const pages = usePages('listMovements', { query: { ...query, limit: 50 } }, { keepPrevious: true });
  const address = useAddress('listMovements');
  const isClosed = useIsClosed();
  const isWhole = kind === 'all' && time.name === 'any' && month === '';
  return (
    <Card
      flush
      title="Transactions"
      actions={
        <>
          <Segments label="Type" value={kind} onChange={setKind} options={KINDS} />
          {month === '' ? (
            <TimeSelect time={time} />
          ) : (
            <FilterChips
              chips={[{ id: 'month', label: 'Month', value: monthName(month), remove: clear }]}
              clear={clear}
            />
          )}
          <LinkButton href={address({ query: { ...query, format: 'csv' } })} download icon="download">
            Export CSV
          </LinkButton>
        </>
      }
    >
      <StaleNote pages={pages} />
      <Table
        label="Transactions"
        columns={movementColumns}
        rows={pages.data === undefined ? undefined : pages.rows}
        rowKey={movementKey}
        error={pages.error}
        retry={() => void pages.refetch()}
        sort={NEWEST_FIRST}
        skeletonRows={8}
        empty={
          pages.hasNextPage ? (
            <EmptyState icon="search" title="No transactions found so far" />
          ) : isWhole ? (
            <EmptyState icon="billing" title={isClosed ? 'No transactions' : 'No transactions yet'}>
              Charges, top-ups and refunds are listed here.
            </EmptyState>
          ) : (
            <EmptyState icon="search" title="No matching transactions" />
          )
        }
      />
      <SearchedTo key={JSON.stringify(query)} pages={pages} noun="transactions" />
    </Card>
  );
}
