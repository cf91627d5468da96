import { type ReactElement, type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from '../button.tsx';
import { Field } from '../inputs/field.tsx';
import { TextInput } from '../inputs/inputs.tsx';
import { ErrorNote } from '../states.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The question: `Revoke this key?` */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** The label of the button: `Revoke`. */
  readonly action: string;
  readonly onConfirm: () => void;
  /** Must be typed first: for what cannot be undone. */
  readonly name?: string;
  readonly danger?: boolean;
  readonly loading?: boolean;
  readonly error?: unknown;
}

export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  onConfirm,
  name,
  danger = true,
  loading,
  error,
}: ConfirmDialogProps): ReactElement {
  const form = useId();
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (!open) setTyped('');
  }, [open]);
  const isReady = name === undefined || typed.trim() === name.trim();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind={danger ? 'danger' : 'primary'} disabled={!isReady} loading={loading}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !loading) onConfirm();
        }}
      >
        <div className="text-muted wrap-anywhere">{children}</div>
        {name !== undefined && (
          <Field
            label={
              <>
                Type <span className="font-mono text-sm break-all">{name}</span> to confirm
              </>
            }
          >
            <TextInput value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} />
          </Field>
        )}
        <ErrorNote error={error} />
      </form>
    </Dialog>
  );
}
