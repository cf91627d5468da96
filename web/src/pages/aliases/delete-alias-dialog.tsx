import type { ReactElement } from 'react';
import type { Alias } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { ConfirmDialog, notify } from '../../components/index.ts';

export interface DeleteAliasDialogProps {
  readonly alias: Alias & { readonly id: number };
  readonly onClose: () => void;
}

export function DeleteAliasDialog({ alias, onClose }: DeleteAliasDialogProps): ReactElement {
  const ofAccount = useChange('deleteAlias');
  const ofInstallation = useChange('deleteInstallationAlias');
  const remove = alias.scope === 'installation' ? ofInstallation : ofAccount;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${alias.name}?`}
      action="Delete alias"
      danger
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { alias: alias.id } },
          {
            onSuccess: () => {
              notify({ title: `${alias.name} deleted`, kind: 'good' });
              onClose();
            },
          },
        )
      }
    >
      Requests that use this name are rejected from now on, unless a wider scope has an alias of the same name.
    </ConfirmDialog>
  );
}
