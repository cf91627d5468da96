import type { ReactElement } from 'react';
import type { PlannedRoute } from '../../api/types.ts';
import { Badge, Card, type Column, EmptyState, Money, Note, Table } from '../../components/index.ts';
import { REASON_WORDS, standingWords } from './reason-words.ts';

type Candidate = PlannedRoute['candidates'][number];
type LeftOut = PlannedRoute['left_out'][number];

interface Planned {
  readonly position: number;
  readonly candidate: Candidate;
  readonly why: readonly string[];
}

/** Who would serve the request, in which order, and who would not. */
export function PlanView({ plan }: { readonly plan: PlannedRoute }): ReactElement {
  const rows = plan.candidates.map((candidate, position) => ({
    position,
    candidate,
    why: standingWords({ position, attemptsMax: plan.max_attempts, candidate }),
  }));
  return (
    <>
      {plan.refusal !== null && (
        <Note tone="bad">
          The request would be rejected with {plan.refusal.status} {plan.refusal.code}: {plan.refusal.message}
        </Note>
      )}
      <Card flush title="Candidates" description={summaryOf(plan)}>
        <Table
          label="Candidates"
          columns={candidateColumns}
          rows={rows}
          rowKey={({ position }) => position}
          empty={
            <EmptyState icon="route" title="Nobody would serve this request">
              {plan.left_out.length > 0
                ? 'Below is why each candidate is left out.'
                : 'The request is rejected before candidates are looked at.'}
            </EmptyState>
          }
        />
      </Card>
      {plan.left_out.length > 0 && (
        <Card flush title="Left out">
          <Table
            label="Left out"
            columns={leftOutColumns}
            rows={plan.left_out}
            rowKey={({ model, provider, upstream_model, own_credential }) =>
              `${model} ${provider} ${upstream_model} ${own_credential}`
            }
          />
        </Card>
      )}
    </>
  );
}

function summaryOf({ candidates, max_attempts, max_cost }: PlannedRoute): ReactElement | string {
  if (candidates.length === 0) return 'None.';
  return (
    <>
      {candidates.length > 1 && `At most ${max_attempts} of them are tried, in this order. `}
      {max_cost === null ? (
        'No price is known.'
      ) : (
        <>
          The request costs at most <Money usd={max_cost} />.
        </>
      )}
    </>
  );
}

const candidateColumns: readonly Column<Planned>[] = [
  { id: 'position', header: 'Order', cell: ({ position }) => <span className="figures">{position + 1}</span> },
  {
    id: 'candidate',
    header: 'Candidate',
    isTitle: true,
    cell: ({ candidate }) => (
      <Who of={candidate}>
        {candidate.translated && <Badge>translated</Badge>}
        {candidate.resting && <Badge tone="warn">resting</Badge>}
      </Who>
    ),
  },
  { id: 'why', header: 'Why here', cell: ({ why, candidate }) => <Lines lines={[...why, ...candidate.warnings]} /> },
  { id: 'max_cost', header: 'Costs at most', align: 'right', amount: ({ candidate }) => candidate.max_cost },
];

const leftOutColumns: readonly Column<LeftOut>[] = [
  { id: 'candidate', header: 'Candidate', isTitle: true, cell: (row) => <Who of={row} /> },
  { id: 'why', header: 'Why', cell: ({ reason }) => <Lines lines={[REASON_WORDS[reason]]} /> },
];

interface WhoProps {
  readonly of: Pick<Candidate, 'model' | 'provider' | 'own_credential'>;
  readonly children?: React.ReactNode;
}

function Who({ of: { model, provider, own_credential }, children }: WhoProps): ReactElement {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="wrap-anywhere">{model}</span>
      <span className="text-muted wrap-anywhere">at {provider}</span>
      {own_credential && <Badge tone="accent">own credential</Badge>}
      {children}
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }): ReactElement {
  return (
    <ul className="flex max-w-prose flex-col gap-1 text-sm">
      {lines.map((line) => (
        <li key={line} className="wrap-anywhere">
          {line}
        </li>
      ))}
    </ul>
  );
}
