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
    <LinkGate purpose="setup" otherwise="On the machine of the server, turnpike admin reset prints a new one.">
      {(token) => (
        <Frame
          title="Set up Turnpike"
          description="You become the operator: you see everything, and manage providers and accounts."
        >
          <PersonForm
            action="Make the operator"
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
