import type { ReactElement } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Frame } from './frame.tsx';
import { LinkGate } from './link-gate.tsx';
import { PersonForm } from './person-form.tsx';
import { useEntry } from './use-entry.ts';
import { forgetToken } from './use-link-token.ts';

/** `/setup#token=…`: makes the first operator. */
export default function SetUpPage(): ReactElement {
  const setUp = useChange('setUp');
  const enter = useEntry();
  return (
    <LinkGate purpose="setup" otherwise="Run turnpike admin reset on the server to get a new link.">
      {(token) => (
        <Frame
          title="Set up Turnpike"
          description="Create the admin account. You will be the operator of this installation, with access to every account and provider."
        >
          <PersonForm
            action="Create admin account"
            loading={setUp.isPending}
            error={setUp.error}
            onSubmit={(person) =>
              setUp.mutate(
                { body: { token, ...person } },
                {
                  onSuccess: ({ data }) => {
                    forgetToken();
                    void enter(data.status);
                  },
                },
              )
            }
          />
        </Frame>
      )}
    </LinkGate>
  );
}
