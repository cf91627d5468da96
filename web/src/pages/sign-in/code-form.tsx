import { type ReactElement, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote, Field, TextInput } from '../../components/index.ts';
import type { SignInStatus } from './use-entry.ts';

export interface CodeFormProps {
  readonly onDone: (status: SignInStatus) => Promise<void>;
  /** Back to the password. */
  readonly onBack: () => void;
}

/** The second factor, after the password. */
export function CodeForm({ onDone, onBack }: CodeFormProps): ReactElement {
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const finish = useChange('signInWithCode');
  const send = (text: string): void =>
    finish.mutate(
      { body: { code: text } },
      { onSuccess: ({ data }) => void onDone(data.status), onError: () => setCode('') },
    );
  const change = (text: string): void => {
    setCode(text);
    // The sixth digit submits the form.
    if (!isRecovery && /^\d{6}$/.test(text) && !finish.isPending) send(text);
  };
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        send(code);
      }}
    >
      <Field label={isRecovery ? 'Recovery code' : 'Code'}>
        <TextInput
          key={String(isRecovery)}
          value={code}
          onChange={isRecovery ? setCode : change}
          required
          minLength={6}
          maxLength={40}
          mono
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
        />
      </Field>
      <ErrorNote error={finish.error} />
      <Button type="submit" kind="primary" size="large" loading={finish.isPending}>
        Continue
      </Button>
      <div className="flex justify-between text-sm">
        <button type="button" className="rounded-sm text-accent-text hover:underline" onClick={onBack}>
          Use another account
        </button>
        <button
          type="button"
          className="rounded-sm text-accent-text hover:underline"
          onClick={() => {
            setRecovery(!isRecovery);
            setCode('');
            finish.reset();
          }}
        >
          {isRecovery ? 'Use authenticator app' : 'Use a recovery code'}
        </button>
      </div>
    </form>
  );
}
