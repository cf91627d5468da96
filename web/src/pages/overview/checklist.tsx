/** The getting-started card of an account; it disappears when done or hidden. */
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useAccount, useMay, useSession } from '../../api/session.ts';
import { Button, Card, Icon, LinkButton } from '../../components/index.ts';
import { FirstRequest } from './first-request.tsx';

type Checklist = Answer<'readChecklist'>['data'];

export function ChecklistCard({ checklist }: { readonly checklist: Checklist }): ReactElement | null {
  const account = useAccount();
  const { user } = useSession();
  const mayInvite = useMay('admin');
  const mayCreate = useMay('developer');
  const [isHidden, hide] = useHidden(account?.id ?? 0);
  // A person who waited for the first request sees it arrive, even when it was the last step.
  const hasWaited = useRef(checklist.first_call === null);
  const { first_call: firstCall, model } = checklist;
  const isDone =
    firstCall !== null &&
    (checklist.has_key || !mayCreate) &&
    (checklist.has_provider || !user.is_operator) &&
    (checklist.has_invited || !mayInvite);
  if (isHidden && firstCall !== null) return null;
  if (isDone && !hasWaited.current) return null;
  // Without a model this comes first.
  const provider = user.is_operator && (
    <Step
      isDone={checklist.has_provider}
      title="Add a provider"
      action={<NextStep href="/providers?new=1" label="Add provider" isMain={model === null && checklist.has_key} />}
    >
      {model === null ? 'No models are available yet.' : 'Only the demo models are available so far.'}
    </Step>
  );
  return (
    <Card
      title={isDone ? 'All set' : 'Get started'}
      actions={
        firstCall !== null && (
          <Button kind="ghost" size="small" onClick={hide}>
            Hide
          </Button>
        )
      }
    >
      <ol className="flex flex-col gap-4">
        {mayCreate && (
          <Step
            isDone={checklist.has_key}
            title="Create an API key"
            action={<NextStep href="/keys?new=1" label="Create key" isMain />}
          >
            Programs use it to call models.
          </Step>
        )}
        {model === null && provider}
        <Step
          isDone={firstCall !== null}
          title={firstCall === null ? 'Send a request' : 'Your first request arrived'}
          keepsContent
        >
          <FirstRequest call={firstCall} model={model} />
        </Step>
        {model !== null && provider}
        {mayInvite && (
          <Step
            isDone={checklist.has_invited}
            title="Invite your team"
            action={<NextStep href="/members?new=1" label="Invite member" />}
          >
            Members sign in with their own account and the role you choose.
          </Step>
        )}
      </ol>
    </Card>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  /** Of a step to do. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** Also shows the content of a completed step. */
  readonly keepsContent?: boolean;
}

function Step({ isDone, title, action, children, keepsContent = false }: StepProps): ReactElement {
  return (
    <li className="flex gap-3">
      {isDone ? (
        <span className="flex size-5 shrink-0 items-center justify-center rounded-full bg-good-soft text-good-text">
          <Icon name="check" className="size-3.5" />
        </span>
      ) : (
        <span className="size-5 shrink-0 rounded-full border border-control" />
      )}
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className={keepsContent ? 'w-full min-w-0' : 'min-w-0'}>
          <p className={isDone ? 'text-muted' : 'font-medium'}>
            {title}
            <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
          </p>
          {(!isDone || keepsContent) && <div className="mt-0.5 text-muted">{children}</div>}
        </div>
        {!isDone && action}
      </div>
    </li>
  );
}

interface NextStepProps {
  readonly href: string;
  readonly label: string;
  readonly isMain?: boolean;
}

function NextStep({ href, label, isMain = false }: NextStepProps): ReactElement {
  return (
    <LinkButton href={href} kind={isMain ? 'primary' : 'secondary'}>
      {label}
    </LinkButton>
  );
}

/** Stored in the browser, per account. */
function useHidden(accountId: number): readonly [boolean, () => void] {
  const name = `turnpike.first-steps.${accountId}`;
  const [hidden, setHidden] = useState<string | null>(null);
  const isHidden = hidden === name || readHidden(name);
  return [
    isHidden,
    () => {
      try {
        localStorage.setItem(name, 'hidden');
      } catch {
        // Without storage it stays hidden until the page is closed.
      }
      setHidden(name);
    },
  ];
}

function readHidden(name: string): boolean {
  try {
    return localStorage.getItem(name) === 'hidden';
  } catch {
    return false;
  }
}
