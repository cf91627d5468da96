import type { ReactElement } from 'react';
import { TextInput } from '../../components/index.ts';

export interface CredentialInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
  readonly placeholder?: string;
}

/** A third-party secret: browsers must neither suggest nor save a password here. */
export function CredentialInput({ value, onChange, required, placeholder }: CredentialInputProps): ReactElement {
  return (
    <TextInput
      type="password"
      value={value}
      onChange={onChange}
      required={required}
      maxLength={8192}
      placeholder={placeholder}
      autoComplete="new-password"
      autoCapitalize="off"
      spellCheck={false}
      data-1p-ignore=""
      data-lpignore="true"
      mono
    />
  );
}
