import type { ReactElement } from 'react';
import { useAccount, useSession } from '../../api/session.ts';
import { CopyButton, Note } from '../../components/index.ts';

type Mode = 'prepaid' | 'postpaid' | 'off';

/** What the billing mode means, unless it is the usual one. */
export function ModeNote({ mode }: { readonly mode: Mode }): ReactElement | null {
  if (mode === 'prepaid') return null;
  return (
    <Note>
      {mode === 'postpaid'
        ? 'Postpaid: requests are served even when the balance is below zero. Budgets still apply.'
        : 'Billing is off: no balance is kept and no request is rejected for lack of credit. Costs still count towards budgets and reports.'}
    </Note>
  );
}

/** How to add credit, in one line. */
export function AddMoney(): ReactElement {
  const { user } = useSession();
  const account = useAccount();
  if (!user.is_operator)
    return <p className="text-muted">To add credit, contact your administrator. It shows up here immediately.</p>;
  const command = commandFor(account);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      <span>You can also add credit on the server (with --data unless the data folder is ./data):</span>
      <span className="inline-flex max-w-full items-center gap-1">
        <code className="min-w-0 font-mono text-sm wrap-anywhere text-text">{command}</code>
        <CopyButton text={command} label="Copy command" size="small" />
      </span>
    </div>
  );
}

/** Names the account by id where its name would need quoting. */
function commandFor(account: { readonly id: number; readonly name: string } | null): string {
  if (account === null) return 'npx --no turnpike balance add 20';
  const isPlain = /^[A-Za-z][\w.-]*$/.test(account.name);
  return `npx --no turnpike balance add 20 --account ${isPlain ? account.name : account.id}`;
}
