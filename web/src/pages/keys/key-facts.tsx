import type { ReactElement, ReactNode } from 'react';
import type { Key } from '../../api/types.ts';
import { Card, Link, Time } from '../../components/index.ts';
import { describeBudgets, describeRates } from '../../forms/describe.ts';
import { LastUsed } from './key-columns.tsx';

/** The settings of a key, and where it comes from. */
export function KeyFacts({ row }: { readonly row: Key }): ReactElement {
  const { budgets, ...rates } = row.limits;
  const { permissions } = row;
  const isManagement = row.kind === 'management';
  return (
    <Card title="Settings">
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-2.5">
        <Fact name="Project">
          <Link href={`/keys?project=${row.project.id}`}>{row.project.name}</Link>
        </Fact>
        {!isManagement && (
          <>
            <Fact name="Budget">{lines(describeBudgets(budgets), 'no limit')}</Fact>
            <Fact name="Rates">{lines(describeRates(rates), 'no limit')}</Fact>
            <Fact name="Models">{patterns(permissions.models_allow, 'all')}</Fact>
            {permissions.models_deny !== null && (
              <Fact name="Refused">{patterns(permissions.models_deny, 'none')}</Fact>
            )}
            {permissions.operations !== null && <Fact name="Operations">{permissions.operations.join(', ')}</Fact>}
          </>
        )}
        <Fact name="Addresses">{patterns(permissions.ips, 'any')}</Fact>
        <Fact name="Expires">
          <Time at={row.expires_at} as="whole" none="never" />
        </Fact>
        <Fact name="Last used">
          <LastUsed at={row.last_used_at} />
        </Fact>
        <Fact name="Created">
          <Time at={row.created_at} as="whole" />
          {row.created_by !== null && <> by {row.created_by}</>}
        </Fact>
        {row.root_id !== row.id && (
          <Fact name="Rotated from">
            <Link href={`/keys/${row.root_id}`}>key {row.root_id}</Link>
          </Fact>
        )}
        <Fact name="Id">
          <span className="figures">{row.id}</span>
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function lines(words: readonly string[], none: string): ReactNode {
  if (words.length === 0) return <span className="text-muted">{none}</span>;
  return words.map((each) => (
    <span key={each} className="figures block">
      {each}
    </span>
  ));
}

function patterns(list: readonly string[] | null, none: string): ReactNode {
  if (list === null || list.length === 0) return <span className="text-muted">{none}</span>;
  return list.map((each) => (
    <span key={each} className="block font-mono text-sm break-all">
      {each}
    </span>
  ));
}
