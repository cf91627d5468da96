import type { ReactElement } from 'react';
import { useChange } from '../../api/use-api.ts';
import { ConfirmDialog, notify } from '../../components/index.ts';
import type { OwnCredential } from './credential.ts';

export interface DeleteCredentialDialogProps {
  readonly credential: OwnCredential;
  readonly onClose: () => void;
}

export function DeleteCredentialDialog({ credential, onClose }: DeleteCredentialDialogProps): ReactElement {
  const remove = useChange('deleteOwnCredential');
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${credential.name}?`}
      action="Delete credential"
      loading={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { credential: credential.id } },
          {
            onSuccess: () => {
              notify({ title: `${credential.name} deleted`, kind: 'good' });
              onClose();
            },
          },
        )
      }
    >
      Its secret and its policy are deleted permanently. New requests use the operator’s credentials; running requests
      finish.
    </ConfirmDialog>
  );
}
