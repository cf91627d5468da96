import { type ReactElement, useState } from 'react';
import type { Account } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Card, ConfirmDialog, notify } from '../../components/index.ts';

export function CloseAccount({ account }: { readonly account: Account }): ReactElement {
  const close = useChange('closeAccount');
  const [isAsked, setAsked] = useState(false);
  return (
    <Card title="Close account" description="Revokes all API keys. Reports and transactions stay available.">
      <Button onClick={() => setAsked(true)}>Close account</Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Close ${account.name}?`}
        action="Close account"
        name={account.name}
        loading={close.isPending}
        error={close.error}
        onConfirm={() =>
          close.mutate(
            { body: { name: account.name } },
            {
              onSuccess: () => {
                notify({ title: `${account.name} closed`, kind: 'good' });
                setAsked(false);
              },
            },
          )
        }
      >
        All API keys are revoked immediately and requests are rejected. Any remaining balance stays on record. This
        cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}
