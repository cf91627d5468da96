import { type ReactElement, useState } from 'react';
import { useInstallation, useSession } from '../../../api/session.ts';
import { Button, Money } from '../../../components/index.ts';
import { formatCount } from '../../../format/figures.ts';
import { formatPrice, type Usd } from '../../../format/money.ts';
import { RefundDialog } from '../../billing/refund-dialog.tsx';
import { lineName } from '../call-words.ts';
import type { WholeCall } from './whole-call.ts';

/** Tokens by kind, at their prices, down to what the account paid. */
export function CallCost({ call }: { readonly call: WholeCall }): ReactElement {
  const [isRefunding, setRefunding] = useState(false);
  const { user } = useSession();
  const { billing_mode } = useInstallation();
  const mayRefund = user.is_operator && billing_mode !== 'off' && call.charge > call.refunded;
  // Like an invoice: lines and totals have the same decimals.
  const together = [...call.price_lines.map(({ cost }) => cost), call.cost, call.charge];
  return (
    <div className="flex flex-col gap-3">
      <Lines call={call} together={together} />
      <dl className="figures flex flex-col gap-1.5 border-t pt-3">
        <Sum name="Cost" usd={call.cost} together={together} none="no price set" />
        {call.held !== null && call.held > 0 && <Sum name="Hold" usd={call.held} together={together} muted />}
        {call.fault > 0 && <Sum name="Absorbed by the operator" usd={call.fault} together={together} muted />}
        {call.variance > 0 && (
          <Sum name="Above the hold, absorbed by the operator" usd={call.variance} together={together} muted />
        )}
        {call.node_loss > 0 && <Sum name={lossName(call)} usd={call.node_loss} together={together} muted />}
        {call.saved > 0 && <Sum name="Saved by the response cache" usd={call.saved} together={together} muted />}
        {call.rate !== LIST_RATE && <Rate rate={call.rate} isOwn={call.own_credential} />}
        <Sum name="Charged" usd={call.charge} together={together} strong />
        {call.refunded > 0 && <Sum name="Refunded" usd={call.refunded} together={together} strong />}
      </dl>
      <p className="text-sm text-muted">{sourceWords(call.usage_source)}</p>
      {mayRefund && (
        <div>
          <Button size="small" onClick={() => setRefunding(true)}>
            Refund request
          </Button>
        </div>
      )}
      {isRefunding && <RefundDialog call={call.id} charge={call.charge} onClose={() => setRefunding(false)} />}
    </div>
  );
}

/** Why the operator bears a part because of the call's node. */
function lossName({ superseded }: WholeCall): string {
  const why = superseded ? 'Repeated while its node was lost' : 'Settled too late';
  return `${why}, absorbed by the operator`;
}

/** Parts per million: the list price. */
const LIST_RATE = 1_000_000;

/** The markup, or the fee of an own credential, in percent. */
function Rate({ rate, isOwn }: { readonly rate: number; readonly isOwn: boolean }): ReactElement {
  const percent = isOwn ? rate / 10_000 : (rate - LIST_RATE) / 10_000;
  return (
    <div className="flex justify-between gap-4 text-muted">
      <dt>{isOwn ? 'Fee for an own credential' : 'Markup'}</dt>
      <dd>{percent} %</dd>
    </div>
  );
}

interface LinesProps {
  readonly call: WholeCall;
  readonly together: readonly Usd[];
}

function Lines({ call, together }: LinesProps): ReactElement {
  if (call.price_lines.length > 0) {
    return (
      <table className="figures w-full text-right">
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="pb-1.5 text-left font-normal">
              <span className="sr-only">Line</span>
            </th>
            <th scope="col" className="pb-1.5 pl-3 font-normal">
              Quantity
            </th>
            <th scope="col" className="pb-1.5 pl-3 font-normal">
              Price per 1M
            </th>
            <th scope="col" className="pb-1.5 pl-3 font-normal">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {call.price_lines.map((line) => (
            <tr key={line.name} className="align-top">
              <th scope="row" className="py-0.5 text-left font-normal">
                {lineName(line.name)}
              </th>
              <td className="py-0.5 pl-3">{formatCount(line.units)}</td>
              <td className="py-0.5 pl-3 text-muted">{formatPrice(line.price_per_million)}</td>
              <td className="py-0.5 pl-3">
                <Money usd={line.cost} together={together} />
              </td>
            </tr>
          ))}
          <Hidden call={call} />
        </tbody>
      </table>
    );
  }
  const counted = Object.entries(call.tokens).filter(([, count]) => count > 0);
  if (counted.length === 0) return <p className="text-muted">No tokens were used.</p>;
  return (
    <dl className="figures flex flex-col gap-1">
      {counted.map(([name, count]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt>{lineName(name)}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Reasoning tokens without a price of their own are part of the output: they have no price line, but are shown. */
function Hidden({ call }: { readonly call: WholeCall }): ReactElement | null {
  const { reasoning } = call.tokens;
  if (reasoning === 0 || call.price_lines.some((line) => line.name === 'reasoning')) return null;
  return (
    <tr className="text-muted">
      <th scope="row" className="py-0.5 pl-3 text-left font-normal">
        including reasoning
      </th>
      <td className="py-0.5 pl-3">{formatCount(reasoning)}</td>
      <td />
      <td />
    </tr>
  );
}

interface SumProps {
  readonly name: string;
  readonly usd: number | null;
  readonly together: readonly Usd[];
  readonly none?: string;
  readonly strong?: boolean;
  readonly muted?: boolean;
}

function Sum({ name, usd, together, none, strong, muted }: SumProps): ReactElement {
  const tone = strong ? 'font-semibold' : muted ? 'text-muted' : '';
  return (
    <div className={`flex justify-between gap-4 ${tone}`}>
      <dt>{name}</dt>
      <dd>
        {usd === null && none !== undefined ? (
          <span className="text-muted">{none}</span>
        ) : (
          <Money usd={usd} together={together} />
        )}
      </dd>
    </div>
  );
}

function sourceWords(source: string): string {
  if (source === 'reported') return 'Token counts reported by the provider.';
  if (source === 'estimated') return 'Token counts estimated by the gateway: the provider reported none.';
  if (source === 'cache') return 'Answered from the response cache: no tokens were used.';
  return 'No token counts are available.';
}
