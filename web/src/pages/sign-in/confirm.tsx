import type { ReactElement } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote } from '../../components/index.ts';
import { Frame } from './frame.tsx';
import { LinkGate } from './link-gate.tsx';
import { useEntry } from './use-entry.ts';
import { forgetToken } from './use-link-token.ts';

/** `/confirm#token=…`: confirming takes a click, because mail scanners open links by themselves. */
export default function ConfirmPage(): ReactElement {
  const confirm = useChange('confirmEmail');
  const enter = useEntry();
  return (
    <LinkGate purpose="email" otherwise="Sign up again to get a new link.">
      {(token, link) => (
        <Frame title="Confirm your email" description={link.email ?? undefined}>
          <div className="flex flex-col gap-4">
            <ErrorNote error={confirm.error} />
            <Button
              kind="primary"
              size="large"
              loading={confirm.isPending}
              onClick={() =>
                confirm.mutate(
                  { body: { token } },
                  {
                    onSuccess: ({ data }) => {
                      forgetToken();
                      void enter(data.status);
                    },
                  },
                )
              }
            >
              Confirm and sign in
            </Button>
          </div>
        </Frame>
      )}
    </LinkGate>
  );
}
