import { type ReactElement, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote, fieldError } from '../../components/index.ts';
import { Frame } from './frame.tsx';
import { LinkGate } from './link-gate.tsx';
import { PasswordField } from './password-field.tsx';
import { useEntry } from './use-entry.ts';
import { forgetToken } from './use-link-token.ts';

/** `/reset#token=…`: sets a new password, and ends every session. */
export default function ResetPage(): ReactElement {
  const [password, setPassword] = useState('');
  const reset = useChange('resetPassword');
  const enter = useEntry();
  const wrong = fieldError(reset.error, 'password');
  return (
    <LinkGate purpose="password" otherwise="Request a new link.">
      {(token, link) => (
        <Frame
          title="Set a new password"
          description={`${link.email === null ? '' : `For ${link.email}. `}You will be signed out everywhere else.`}
        >
          <form
            className="flex flex-col gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              reset.mutate(
                { body: { token, password } },
                {
                  onSuccess: ({ data }) => {
                    forgetToken();
                    void enter(data.status);
                  },
                },
              );
            }}
          >
            {/* The address is there for the password manager only. */}
            <input type="email" autoComplete="username" value={link.email ?? ''} readOnly hidden />
            <PasswordField label="New password" value={password} onChange={setPassword} isNew error={wrong} autoFocus />
            {wrong === null && <ErrorNote error={reset.error} />}
            <Button type="submit" kind="primary" size="large" loading={reset.isPending}>
              Set password
            </Button>
          </form>
        </Frame>
      )}
    </LinkGate>
  );
}
