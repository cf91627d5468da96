import { type ReactElement, useState } from 'react';
import { useMay } from '../../api/session.ts';
import type { Account } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import {
  Button,
  Card,
  ConfirmDialog,
  ErrorNote,
  Field,
  fieldError,
  NumberInput,
  notify,
  Switch,
} from '../../components/index.ts';

type Capture = Account['capture'];

export interface CaptureCardProps {
  readonly account: Account;
  readonly mayChange: boolean;
}

/** Whether the words of calls are kept. What it costs in privacy is said before it is switched on. */
export function CaptureCard({ account, mayChange }: CaptureCardProps): ReactElement {
  const update = useChange('updateAccount');
  const isAdmin = useMay('admin');
  const [asked, setAsked] = useState<'on' | 'delete' | null>(null);
  const { capture } = account;
  const change = (changes: Partial<Capture>, done: string): void =>
    update.mutate(
      { body: { capture: changes } },
      {
        onSuccess: () => {
          notify({ title: done, kind: 'good' });
          setAsked(null);
        },
      },
    );
  return (
    <Card
      title="What is kept of calls"
      description="Each call is on record with its model, key, tokens, cost and times. Prompts and answers are kept only if you say so."
      footer={
        isAdmin ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span>Deletes the prompts and answers of all calls, not the calls.</span>
            <Button size="small" icon="trash" onClick={() => setAsked('delete')}>
              Delete all kept bodies
            </Button>
          </div>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-5">
        <Switch
          checked={capture.on}
          disabled={!mayChange || update.isPending}
          onChange={(on) =>
            on
              ? setAsked('on')
              : change({ on: false }, 'Bodies of new calls are not kept. Those before stay until they are deleted.')
          }
          label="Keep requests and answers"
          hint={
            capture.on
              ? `Prompts and answers of new calls are kept for ${days(capture.retention_days)}, then deleted.`
              : 'Off: no prompt and no answer of new calls is kept.'
          }
        />
        {capture.on && (
          <>
            <Switch
              checked={capture.redact}
              disabled={!mayChange || update.isPending}
              onChange={(redact) => change({ redact }, redact ? 'Redaction is on.' : 'Redaction is off.')}
              label="Black out what looks private"
              hint="E-mail addresses, card numbers and keys, before anything is kept. It finds most of them, not all."
            />
            {mayChange && (
              <Retention
                key={capture.retention_days}
                value={capture.retention_days}
                error={fieldError(update.error, 'capture.retention_days')}
                loading={update.isPending}
                onSave={(retention_days) => change({ retention_days }, 'Saved.')}
              />
            )}
          </>
        )}
        {asked === null && <ErrorNote error={update.error} />}
      </div>
      <ConfirmDialog
        open={asked === 'on'}
        onClose={() => setAsked(null)}
        danger={false}
        title="Keep requests and answers?"
        action="Keep them"
        loading={update.isPending}
        error={update.error}
        onConfirm={() => change({ on: true }, 'Bodies of new calls are kept.')}
      >
        Developers, admins and owners of this account can then read them. They are deleted after{' '}
        {days(capture.retention_days)}. Calls before now have none.
      </ConfirmDialog>
      {asked === 'delete' && <DeleteBodies onClose={() => setAsked(null)} />}
    </Card>
  );
}

interface RetentionProps {
  readonly value: number;
  readonly error: string | null;
  readonly loading: boolean;
  readonly onSave: (days: number) => void;
}

function Retention({ value, error, loading, onSave }: RetentionProps): ReactElement {
  const [count, setCount] = useState<number | null>(value);
  const isWithin = count !== null && count >= 1 && count <= 90;
  return (
    <form
      className="max-w-xs"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWithin) onSave(count);
      }}
    >
      <Field
        label="Delete them after"
        hint="Fewer days also delete what is older now."
        error={isWithin || count === null ? error : 'From 1 to 90 days.'}
      >
        <div className="flex gap-2">
          <div className="flex-1">
            <NumberInput value={count} onChange={setCount} unit="days" />
          </div>
          <Button type="submit" className="h-9" loading={loading} disabled={!isWithin || count === value}>
            Save
          </Button>
        </div>
      </Field>
    </form>
  );
}

function DeleteBodies({ onClose }: { readonly onClose: () => void }): ReactElement {
  const remove = useChange('deleteCaptures');
  const done = (): void => {
    notify({ title: 'All kept bodies are deleted.', kind: 'good' });
    onClose();
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete all kept bodies?"
      action="Delete"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({}, { onSuccess: done })}
    >
      Prompts and answers of all calls of this account are gone for good. The calls and what they cost stay.
    </ConfirmDialog>
  );
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
