import type { ReactElement } from 'react';
import type { Provider } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { ConfirmDialog, notify } from '../../components/index.ts';

export interface DeleteProviderDialogProps {
  readonly provider: Provider;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function DeleteProviderDialog({ provider, onClose, onDone }: DeleteProviderDialogProps): ReactElement {
  const remove = useChange('deleteProvider');
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${provider.name}?`}
      action="Delete provider"
      name={provider.name}
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { provider: provider.name } },
          {
            onSuccess: () => {
              notify({ title: `${provider.name} deleted`, kind: 'good' });
              onDone();
            },
          },
        )
      }
    >
      New requests no longer use it; running requests finish. Its credential and prices are deleted permanently. Past
      usage stays in reports.
    </ConfirmDialog>
  );
}
