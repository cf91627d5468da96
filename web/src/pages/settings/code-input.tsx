import type { ReactElement } from 'react';
import { TextInput } from '../../components/index.ts';

export interface CodeInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An authenticator code, or a recovery code. */
export function CodeInput({ value, onChange }: CodeInputProps): ReactElement {
  return (
    <TextInput
      value={value}
      onChange={onChange}
      required
      maxLength={40}
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      mono
    />
  );
}
