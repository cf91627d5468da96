import { type ReactElement, useState } from 'react';
import { Field, TextInput } from '../../components/index.ts';

export const PASSWORD_MIN = 12;

export interface PasswordFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A new one has a minimum length; a current one is accepted as is. */
  readonly isNew?: boolean;
  readonly error?: string | null;
  readonly autoFocus?: boolean;
}

export function PasswordField({
  label = 'Password',
  value,
  onChange,
  isNew,
  error,
  autoFocus,
}: PasswordFieldProps): ReactElement {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      label={label}
      error={error}
      hint={isNew ? `At least ${PASSWORD_MIN} characters. A few unrelated words work best.` : undefined}
      aside={
        <button
          type="button"
          aria-pressed={isShown}
          className="rounded-sm hover:text-text"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
          <span className="sr-only"> password</span>
        </button>
      }
    >
      <TextInput
        type={isShown ? 'text' : 'password'}
        value={value}
        onChange={onChange}
        required
        minLength={isNew ? PASSWORD_MIN : undefined}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        spellCheck={false}
        autoCapitalize="off"
        autoFocus={autoFocus}
      />
    </Field>
  );
}
