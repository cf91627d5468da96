import type { ReactElement, ReactNode } from 'react';
import type { Key } from '../../api/types.ts';
import { Card, Facts, type FactsProps, Link, Time } from '../../components/index.ts';
import { describeBudgets, describeRates } from '../../forms/describe.ts';
import { cacheWords } from './cache-field.tsx';
import { LastUsed } from './key-columns.tsx';
import { restrictedWords } from './restricted-words.ts';

/** The settings and origin of a key. */
export function KeyFacts({ row }: { readonly row: Key }): ReactElement {
  const { budgets, ...rates } = row.limits;
  const { permissions } = row;
  const calling: FactsProps['facts'] = [
    ['Budgets', lines(describeBudgets(budgets), 'no limit')],
    ['Rate limits', lines(describeRates(rates), 'no limit')],
    ['Models', patterns(permissions.models_allow, 'all')],
    ['Blocked models', permissions.models_deny === null ? undefined : patterns(permissions.models_deny, 'none')],
    ['Operations', permissions.operations?.join(', ')],
    ['Web pages', row.origins === null ? undefined : patterns(row.origins, 'none')],
    ['Response cache', row.cache_seconds === null ? undefined : `for ${cacheWords(row.cache_seconds)}`],
  ];
  return (
    <Card title="Settings">
      <Facts
        facts={[
          ['Project', <Project key="project" row={row} />],
          ...(row.kind === 'inference' ? calling : []),
          ['IP addresses', patterns(permissions.ips, 'any')],
          ['Restricted', row.restricted.length === 0 ? undefined : <Restricted key="restricted" row={row} />],
          ['Expires', <Time key="expires" at={row.expires_at} as="whole" none="never" />],
          ['Last used', <LastUsed key="used" at={row.last_used_at} />],
          ['Created', <Created key="created" row={row} />],
          ['Rotated from', row.root_id === row.id ? undefined : <Root key="root" row={row} />],
          [
            'ID',
            <span key="id" className="figures">
              {row.id}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}

interface PartProps {
  readonly row: Key;
}

/** A restriction that people with a lower role cannot loosen. */
function Restricted({ row }: PartProps): ReactElement {
  return (
    <>
      {row.restricted.map(({ field, by }) => (
        <span key={field} className="block">
          {restrictedWords(field)} <span className="text-muted">by an {by}</span>
        </span>
      ))}
    </>
  );
}

function Project({ row }: PartProps): ReactElement {
  return <Link href={`/keys?project=${row.project.id}`}>{row.project.name}</Link>;
}

function Created({ row }: PartProps): ReactElement {
  return (
    <>
      <Time at={row.created_at} as="whole" />
      {row.created_by !== null && <> by {row.created_by}</>}
    </>
  );
}

function Root({ row }: PartProps): ReactElement {
  return <Link href={`/keys/${row.root_id}`}>key {row.root_id}</Link>;
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
