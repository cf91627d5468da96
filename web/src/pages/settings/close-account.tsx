import { type ReactElement, useState } from 'react';
import type { Account } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Card, ConfirmDialog, notify } from '../../components/index.ts';

export function CloseAccount({ account }: { readonly account: Account }): ReactElement {
  const close = useChange('closeAccount');
  const [isAsked, setAsked] = useState(false);
  return (
    <Card title="Close the account" description="All its keys are revoked. Its reports and its ledger stay.">
      <Button onClick={() => setAsked(true)}>Close the account</Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Close ${account.name}?`}
        action="Close the account"
        name={account.name}
        loading={close.isPending}
        error={close.error}
        onConfirm={() =>
          close.mutate(
            { body: { name: account.name } },
            {
              onSuccess: () => {
                notify({ title: `${account.name} is closed.`, kind: 'good' });
                setAsked(false);
              },
            },
          )
        }
      >
        Every key is revoked at once, and no call is taken any more. A balance that is left stays on the ledger. This
        cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}
