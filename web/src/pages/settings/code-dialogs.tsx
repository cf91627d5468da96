/** Dialogs that ask for an authenticator code: removing it, and new recovery codes. */
import { type ReactElement, useId, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, fieldError, notify } from '../../components/index.ts';
import { PasswordField } from '../sign-in/password-field.tsx';
import { CodeInput } from './code-input.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface Closable {
  readonly onClose: () => void;
}

export function RemoveTotpDialog({ onClose }: Closable): ReactElement {
  const form = useId();
  const remove = useChange('removeTotp');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const passwordError = fieldError(remove.error, 'password');
  const codeError = fieldError(remove.error, 'code');
  const done = (): void => {
    notify({ title: 'Authenticator removed', kind: 'good' });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title="Remove authenticator?"
      description="Your password alone will be enough to sign in."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="danger" loading={remove.isPending}>
            Remove authenticator
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          remove.mutate({ body: { password, code: code.trim() } }, { onSuccess: done });
        }}
      >
        <PasswordField label="Your password" value={password} onChange={setPassword} error={passwordError} />
        <Field label="Code" hint="From your authenticator app, or a recovery code." error={codeError}>
          <CodeInput value={code} onChange={setCode} />
        </Field>
        {passwordError === null && codeError === null && <ErrorNote error={remove.error} />}
      </form>
    </Dialog>
  );
}

export function RenewCodesDialog({ onClose }: Closable): ReactElement {
  const form = useId();
  const renew = useChange('renewRecoveryCodes');
  const [code, setCode] = useState('');
  if (renew.data !== undefined) {
    return <RecoveryCodes codes={renew.data.data.recovery_codes} title="New recovery codes" onClose={onClose} />;
  }
  const error = fieldError(renew.error, 'code');
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title="Create new recovery codes?"
      description="Your old codes stop working."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={renew.isPending}>
            Create new codes
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          renew.mutate({ body: { code: code.trim() } });
        }}
      >
        <Field label="Code" hint="From your authenticator app." error={error}>
          <CodeInput value={code} onChange={setCode} />
        </Field>
        {error === null && <ErrorNote error={renew.error} />}
      </form>
    </Dialog>
  );
}
