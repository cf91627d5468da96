import { type ReactElement, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote, Field, Link, TextInput } from '../../components/index.ts';
import { PasswordField } from './password-field.tsx';
import type { SignInStatus } from './use-entry.ts';

export interface SignInFormProps {
  readonly onDone: (status: SignInStatus) => Promise<void>;
  /** The address of an invitation. */
  readonly email?: string;
  readonly hasForgotten?: boolean;
}

export function SignInForm({ onDone, email: known, hasForgotten = true }: SignInFormProps): ReactElement {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const signIn = useChange('signIn');
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(
          { body: { email, password } },
          {
            onSuccess: ({ data }) => void onDone(data.status),
            onError: () => setPassword(''),
          },
        );
      }}
    >
      <Field label="Email">
        <TextInput
          type="email"
          value={email}
          onChange={setEmail}
          required
          autoComplete="username"
          autoFocus={known === undefined}
        />
      </Field>
      <PasswordField value={password} onChange={setPassword} autoFocus={known !== undefined} />
      <ErrorNote error={signIn.error} />
      <Button type="submit" kind="primary" size="large" loading={signIn.isPending}>
        Sign in
      </Button>
      {hasForgotten && (
        <p className="text-center text-sm">
          <Link href="/forgotten">Forgot password?</Link>
        </p>
      )}
    </form>
  );
}
