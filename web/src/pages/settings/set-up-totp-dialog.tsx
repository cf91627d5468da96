import { type ReactElement, useId, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, CopyButton, Dialog, ErrorNote, Field, fieldError } from '../../components/index.ts';
import { PasswordField } from '../sign-in/password-field.tsx';
import { CodeInput } from './code-input.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** The password, then the secret and a code that proves the app has it, then the recovery codes. */
export function SetUpTotpDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const start = useChange('startTotp');
  const confirm = useChange('confirmTotp');
  if (confirm.data !== undefined) {
    return <RecoveryCodes codes={confirm.data.data.recovery_codes} title="Authenticator set up" onClose={onClose} />;
  }
  if (start.data === undefined) return <PasswordStep start={start} onClose={onClose} />;
  return <SecretStep given={start.data.data} confirm={confirm} onClose={onClose} />;
}

interface PasswordStepProps {
  readonly start: ReturnType<typeof useChange<'startTotp'>>;
  readonly onClose: () => void;
}

function PasswordStep({ start, onClose }: PasswordStepProps): ReactElement {
  const form = useId();
  const [password, setPassword] = useState('');
  const error = fieldError(start.error, 'password');
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title="Set up authenticator"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={start.isPending}>
            Continue
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate({ body: { password } });
        }}
      >
        <PasswordField label="Your password" value={password} onChange={setPassword} error={error} />
        {error === null && <ErrorNote error={start.error} />}
      </form>
    </Dialog>
  );
}

interface SecretStepProps {
  readonly given: Answer<'startTotp'>['data'];
  readonly confirm: ReturnType<typeof useChange<'confirmTotp'>>;
  readonly onClose: () => void;
}

function SecretStep({ given, confirm, onClose }: SecretStepProps): ReactElement {
  const form = useId();
  const [code, setCode] = useState('');
  const error = fieldError(confirm.error, 'code');
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title="Set up authenticator"
      description="Scan this with your authenticator app, then enter the code it shows."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={confirm.isPending}>
            Confirm
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          confirm.mutate({ body: { code: code.trim() } });
        }}
      >
        <QrCode rows={given.qr} />
        <div>
          <p className="text-sm text-muted">Or enter this secret in the app:</p>
          <p className="mt-1 flex items-center gap-2">
            <code className="min-w-0 font-mono text-sm break-all">{inFours(given.secret)}</code>
            <CopyButton text={given.secret} label="Copy secret" size="small" />
          </p>
        </div>
        <Field label="Code" hint="Six digits." error={error}>
          <CodeInput value={code} onChange={setCode} />
        </Field>
        {error === null && <ErrorNote error={confirm.error} />}
      </form>
    </Dialog>
  );
}

function inFours(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
