import { type ReactElement, useId, useState } from 'react';
import type { Key } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, Select } from '../../components/index.ts';
import { forgetKey } from '../connect/fresh-key.ts';
import { NewSecret } from './new-secret.tsx';
import { useNewSecret } from './use-new-secret.ts';

const HOUR_MS = 3_600_000;
const GRACES = [
  { value: '0', label: 'None: the old secret stops working immediately' },
  { value: String(HOUR_MS), label: '1 hour' },
  { value: String(24 * HOUR_MS), label: '1 day' },
  { value: String(3 * 24 * HOUR_MS), label: '3 days' },
  { value: String(7 * 24 * HOUR_MS), label: '7 days' },
];

export interface RotateKeyDialogProps {
  readonly row: Key;
  readonly onClose: () => void;
  /** Called after the secret was saved. The new key has its own id. */
  readonly onRotated?: ((key: Key) => void) | undefined;
}

/** A new secret for a key; limits and spend carry over. */
export function RotateKeyDialog({ row, onClose, onRotated }: RotateKeyDialogProps): ReactElement {
  const form = useId();
  const rotate = useChange('rotateKey');
  const keepSecret = useNewSecret();
  const [grace, setGrace] = useState(String(24 * HOUR_MS));
  const [made, setMade] = useState<{ readonly key: Key; readonly secret: string } | null>(null);
  const isNew = made !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!isNew}
      width={isNew ? 'normal' : 'narrow'}
      title={isNew ? `${row.name} rotated` : `Rotate ${row.name}`}
      description={describe(isNew, grace)}
      footer={
        isNew ? (
          <Button
            onClick={() => {
              onClose();
              onRotated?.(made.key);
            }}
          >
            I’ve saved it
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} kind="primary" loading={rotate.isPending}>
              Rotate key
            </Button>
          </>
        )
      }
    >
      {isNew ? (
        <NewSecret secret={made.secret} hasSnippets={row.kind === 'inference'} />
      ) : (
        <form
          id={form}
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            rotate.mutate(
              { params: { key: row.id }, body: { grace_ms: Number(grace) } },
              {
                onSuccess: (answer) => {
                  forgetKey(row.id);
                  keepSecret(answer.data, answer.key);
                  setMade({ key: answer.data, secret: answer.key });
                  rotate.reset();
                },
              },
            );
          }}
        >
          <Field label="Overlap" hint="How long the old secret keeps working.">
            <Select value={grace} onChange={setGrace} options={GRACES} />
          </Field>
          <ErrorNote error={rotate.error} />
        </form>
      )}
    </Dialog>
  );
}

function describe(isNew: boolean, grace: string): string {
  if (!isNew) return 'The key gets a new secret. Its limits and spend carry over.';
  return grace === '0' ? 'The old secret no longer works.' : 'The old secret works until the overlap ends.';
}
