import { type ReactElement, useState } from 'react';
import { Button, ErrorNote, Field, fieldError, TextInput } from '../../components/index.ts';
import { PasswordField } from './password-field.tsx';

export interface Person {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

export interface PersonFormProps {
  readonly action: string;
  readonly onSubmit: (person: Person) => void;
  readonly loading: boolean;
  readonly error: unknown;
  /** Fixed by the link. */
  readonly email?: string | null;
}

/** Name, email and password of a new person: setup, sign-up, invitation. */
export function PersonForm({ action, onSubmit, loading, error, email: known }: PersonFormProps): ReactElement {
  const [email, setEmail] = useState(known ?? '');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const wrong = {
    email: fieldError(error, 'email'),
    name: fieldError(error, 'name'),
    password: fieldError(error, 'password'),
  };
  const isSaidAbove = wrong.email !== null || wrong.name !== null || wrong.password !== null;
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ email, name, password });
      }}
    >
      <Field label="Your name" error={wrong.name}>
        <TextInput value={name} onChange={setName} required maxLength={100} autoComplete="name" autoFocus />
      </Field>
      <Field label="Email" error={wrong.email}>
        <TextInput
          type="email"
          value={email}
          onChange={setEmail}
          required
          readOnly={typeof known === 'string'}
          autoComplete="username"
        />
      </Field>
      <PasswordField value={password} onChange={setPassword} isNew error={wrong.password} />
      {!isSaidAbove && <ErrorNote error={error} />}
      <Button type="submit" kind="primary" size="large" loading={loading}>
        {action}
      </Button>
    </form>
  );
}
