import type { ReactElement } from 'react';
import { useMay } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Badge,
  Button,
  Card,
  EmptyState,
  ErrorState,
  LinkButton,
  PageHeader,
  RangePicker,
  Skeleton,
  StatusBadge,
} from '../../components/index.ts';
import { useGo } from '../../navigation/use-go.ts';
import { useRange } from '../../navigation/use-range.ts';
import { LatestCalls } from '../overview/latest-calls.tsx';
import { useKeyActions } from './key-actions.tsx';
import { KeyFacts } from './key-facts.tsx';
import { KeyLimitsCard } from './key-limits.tsx';
import { KeyState } from './key-state.tsx';
import { KeyUsage } from './key-usage.tsx';
import { isOver } from './key-words.ts';

export default function KeyPage({
  params,
}: {
  readonly params: Readonly<Record<string, string | undefined>>;
}): ReactElement {
  const reference = params['id'] ?? '';
  const { data, error, refetch } = useApi('readKey', { params: { key: reference } });
  if (data !== undefined) return <Loaded row={data.data} />;
  const back = { href: '/keys', label: 'API keys' };
  if (error === null) {
    return (
      <>
        <PageHeader title="API key" back={back} />
        <Skeleton className="h-96" />
      </>
    );
  }
  return (
    <>
      <PageHeader title="API key" back={back} />
      <Card flush>
        {error.code === 'not_found' ? (
          <EmptyState icon="keys" title="API key not found" action={<LinkButton href="/keys">All keys</LinkButton>}>
            It may belong to another account.
          </EmptyState>
        ) : (
          <ErrorState error={error} retry={() => void refetch()} title="Could not load the API key" />
        )}
      </Card>
    </>
  );
}

function Loaded({ row }: { readonly row: Key }): ReactElement {
  const go = useGo();
  const actions = useKeyActions(useMay('developer'), (key) => go(`/keys/${key.id}`));
  const rangeState = useRange();
  const mayEdit = actions.mayChange(row) && !isOver(row);
  return (
    <>
      <PageHeader
        title={row.name}
        back={{ href: '/keys', label: 'API keys' }}
        badge={
          <>
            <StatusBadge status={row.status} />
            {row.kind === 'management' && <Badge tone="accent">management</Badge>}
          </>
        }
        description={<span className="font-mono text-sm">{row.label}</span>}
        actions={
          <>
            {row.kind === 'inference' && (
              <div className="max-sm:order-last">
                <RangePicker state={rangeState} />
              </div>
            )}
            {row.kind === 'inference' && !isOver(row) && (
              <LinkButton icon="connect" href={`/connect?key=${row.id}`}>
                Use key
              </LinkButton>
            )}
            {mayEdit && (
              <Button icon="edit" onClick={() => actions.edit(row)}>
                Edit
              </Button>
            )}
            {actions.menu(row)}
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <KeyState row={row} />
        {row.kind === 'management' ? (
          <KeyFacts row={row} />
        ) : (
          <>
            <KeyUsage row={row} range={rangeState.range} />
            {isOver(row) ? (
              <KeyFacts row={row} />
            ) : (
              <div className="grid gap-6 lg:grid-cols-2">
                <KeyLimitsCard row={row} />
                <KeyFacts row={row} />
              </div>
            )}
            <LatestCalls keyId={row.id} title="Recent requests" />
          </>
        )}
      </div>
      {actions.dialogs}
    </>
  );
}
