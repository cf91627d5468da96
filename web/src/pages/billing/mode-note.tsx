import type { ReactElement } from 'react';
import { useAccount, useSession } from '../../api/session.ts';
import { CopyButton, Note } from '../../components/index.ts';

type Mode = 'prepaid' | 'postpaid' | 'off';

/** What the installation's way of paying means, where it is not the usual one. */
export function ModeNote({ mode }: { readonly mode: Mode }): ReactElement | null {
  if (mode === 'prepaid') return null;
  return (
    <Note>
      {mode === 'postpaid'
        ? 'This account pays afterwards: calls are served when the balance is below zero. Budgets still hold.'
        : 'No balance is kept here. No call is refused for lack of money; what calls cost still counts in budgets and reports.'}
    </Note>
  );
}

/** How money comes onto the account, in a line. */
export function AddMoney(): ReactElement {
  const { user } = useSession();
  const account = useAccount();
  if (!user.is_operator) return <p className="text-muted">To add money, ask your operator. It shows here at once.</p>;
  const command = commandFor(account);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      <span>Where Turnpike runs, a command tops up too, with --data if its data is not in ./data:</span>
      <span className="inline-flex max-w-full items-center gap-1">
        <code className="min-w-0 font-mono text-sm wrap-anywhere text-text">{command}</code>
        <CopyButton text={command} label="Copy the command" size="small" />
      </span>
    </div>
  );
}

/** By its id where the name would need quotes. */
function commandFor(account: { readonly id: number; readonly name: string } | null): string {
  if (account === null) return 'npx --no turnpike balance add 20';
  const isPlain = /^[A-Za-z][\w.-]*$/.test(account.name);
  return `npx --no turnpike balance add 20 --account ${isPlain ? account.name : account.id}`;
}
