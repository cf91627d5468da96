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

/** Whether prompts and responses are stored. The privacy impact is stated before it is turned on. */
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
      title="Data retention"
      description="Every request is logged with its model, API key, tokens, cost and timings. Prompts and responses are stored only if you turn this on."
      footer={
        isAdmin ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span>Deletes all stored prompts and responses. Requests stay on record.</span>
            <Button size="small" icon="trash" onClick={() => setAsked('delete')}>
              Delete stored prompts and responses
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
            on ? setAsked('on') : change({ on: false }, 'Prompts and responses of new requests are no longer stored')
          }
          label="Store prompts and responses"
          hint={
            capture.on
              ? `Prompts and responses of new requests are stored for ${days(capture.retention_days)}, then deleted.`
              : 'Off: prompts and responses of new requests are not stored.'
          }
        />
        {capture.on && (
          <>
            <Switch
              checked={capture.redact}
              disabled={!mayChange || update.isPending}
              onChange={(redact) => change({ redact }, redact ? 'Redaction turned on' : 'Redaction turned off')}
              label="Redact personal data"
              hint="Removes email addresses, card numbers and keys before storing. It finds most of them, not all."
            />
            {mayChange && (
              <Retention
                key={capture.retention_days}
                value={capture.retention_days}
                error={fieldError(update.error, 'capture.retention_days')}
                loading={update.isPending}
                onSave={(retention_days) => change({ retention_days }, 'Retention period saved')}
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
        title="Store prompts and responses?"
        action="Store prompts and responses"
        loading={update.isPending}
        error={update.error}
        onConfirm={() => change({ on: true }, 'Prompts and responses of new requests are stored')}
      >
        Developers, admins and owners of this account can view them. They are deleted after{' '}
        {days(capture.retention_days)}. Earlier requests are not affected.
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
        label="Delete after"
        hint="A shorter period also deletes older data that is already stored."
        error={isWithin || count === null ? error : 'Enter 1 to 90 days.'}
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
    notify({ title: 'Stored prompts and responses deleted', kind: 'good' });
    onClose();
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete stored prompts and responses?"
      action="Delete all"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({}, { onSuccess: done })}
    >
      The prompts and responses of all requests of this account are deleted permanently. Requests and their costs stay
      on record.
    </ConfirmDialog>
  );
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
