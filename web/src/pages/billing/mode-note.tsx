import type { ReactElement } from 'react';
import { useAccount, useSession } from '../../api/session.ts';
import { Card, CodeBlock, Note } from '../../components/index.ts';

type Mode = 'prepaid' | 'postpaid' | 'off';

/** What the installation's way of paying means, where it is not the usual one. */
export function ModeNote({ mode }: { readonly mode: Mode }): ReactElement | null {
  if (mode === 'prepaid') return null;
  return (
    <Note>
      {mode === 'postpaid'
        ? 'This account pays afterwards: the balance may fall below zero, and calls go on. Budgets still hold.'
        : 'No balance is kept here. What calls cost is recorded, and nobody is stopped for lack of money. Budgets still hold.'}
    </Note>
  );
}

/** How money comes onto the account. */
export function AddMoney(): ReactElement {
  const { user } = useSession();
  const account = useAccount();
  if (!user.is_operator) {
    return (
      <Card title="Add money">
        <p className="text-muted">Ask your operator to top up this account. It shows here at once.</p>
      </Card>
    );
  }
  return (
    <Card title="Add money by command" description="On the machine that Turnpike runs on.">
      <CodeBlock code={commandFor(account)} copyLabel="Copy the command" />
    </Card>
  );
}

/** By its id where the name would need quotes. */
function commandFor(account: { readonly id: number; readonly name: string } | null): string {
  if (account === null) return 'turnpike balance add 20';
  const isPlain = /^[A-Za-z][\w.-]*$/.test(account.name);
  return `turnpike balance add 20 --account ${isPlain ? account.name : account.id}`;
}
