import type { ReactElement, ReactNode } from 'react';
import type { AuditEntry } from '../../api/types.ts';
import { Button, CopyButton, Drawer, Facts, Link, Time, useKept } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { AccountName } from './audit-columns.tsx';
import { describeAction, describeSubject } from './describe-action.ts';
import { changesOf, writeValue } from './diff.ts';

export interface AuditDrawerProps {
  readonly entry: AuditEntry | undefined;
  readonly onClose: () => void;
}

export function AuditDrawer({ entry: chosen, onClose }: AuditDrawerProps): ReactElement {
  const entry = useKept(chosen);
  return (
    <Drawer
      open={chosen !== undefined}
      onClose={onClose}
      title={entry === undefined ? 'Change' : `${entry.actor.name} ${describeAction(entry.action)}`}
      description={entry === undefined ? undefined : describeSubject(entry)}
    >
      {entry !== undefined && <Detail entry={entry} />}
    </Drawer>
  );
}

const ACTORS: Readonly<Record<AuditEntry['actor']['kind'], string>> = {
  user: 'user',
  key: 'management key',
  operator: 'command line on the server',
  system: 'Turnpike',
};

function Detail({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const [, change] = useQueryStates();
  const { actor } = entry;
  const only = actor.kind === 'user' ? actor.id : null;
  return (
    <div className="flex flex-col gap-6">
      <Changes entry={entry} />
      <Facts
        facts={[
          ['Time', <Time key="at" at={entry.at} as="whole" />],
          ['Actor', `${actor.name} (${ACTORS[actor.kind]})`],
          ['Target', <Subject key="subject" entry={entry} />],
          [
            'Action',
            <code key="action" className="font-mono text-sm">
              {entry.action}
            </code>,
          ],
          ['Account', <AccountName key="account" id={entry.account_id} />],
          [
            'IP address',
            entry.ip === null ? undefined : (
              <code key="ip" className="font-mono text-sm break-all">
                {entry.ip}
              </code>
            ),
          ],
          ['Request ID', entry.request_id === null ? undefined : <RequestId key="request" id={entry.request_id} />],
        ]}
      />
      {only !== null && (
        <div>
          <Button icon="filter" onClick={() => change({ actor: String(only), entry: null })}>
            Show only changes by {actor.name}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Before and after, distinguished by words and signs as well as colour. */
function Changes({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const changes = changesOf(entry);
  if (changes.length === 0) return <p className="text-muted">This entry has no field changes.</p>;
  return (
    <ul className="divide-y rounded border">
      {changes.map(({ field, before, after }) => (
        <li key={field} className="px-3 py-2.5">
          <p className="mb-1.5 text-sm text-muted">{field}</p>
          {entry.before !== null && before !== undefined && (
            <Value sign="−" word="before" className="bg-bad-soft text-bad-text">
              {writeValue(before)}
            </Value>
          )}
          {entry.after !== null && after !== undefined && (
            <Value sign="+" word="after" className="bg-good-soft text-good-text">
              {writeValue(after)}
            </Value>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ValueProps {
  readonly sign: string;
  readonly word: string;
  readonly className: string;
  readonly children: ReactNode;
}

function Value({ sign, word, className, children }: ValueProps): ReactElement {
  return (
    <p className={`flex gap-2 rounded-sm px-2 py-0.5 font-mono text-xs leading-5 ${className}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{word}: </span>
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{children}</span>
    </p>
  );
}

function Subject({ entry: { subject, account_id } }: { readonly entry: AuditEntry }): ReactElement {
  const words = `${subject.kind.replaceAll('_', ' ')} ${subject.name ?? ''}`.trim();
  const account = account_id === null ? '' : `?account=${account_id}`;
  if (subject.kind === 'key') return <Link href={`/keys/${encodeURIComponent(subject.id)}${account}`}>{words}</Link>;
  if (subject.kind === 'provider') {
    return <Link href={`/providers?provider=${encodeURIComponent(subject.id)}`}>{words}</Link>;
  }
  return <>{`${words} (${subject.id})`}</>;
}

function RequestId({ id }: { readonly id: string }): ReactElement {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-sm break-all">{id}</code>
      <CopyButton text={id} label="Copy request ID" size="small" />
    </span>
  );
}
