import type { ReactElement } from 'react';
import type { AccountBatch } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { ConfirmDialog, notify } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';

export interface CancelBatchDialogProps {
  readonly batch: AccountBatch;
  readonly onClose: () => void;
}

export function CancelBatchDialog({ batch, onClose }: CancelBatchDialogProps): ReactElement {
  const cancel = useChange('cancelAccountBatch');
  const left = batch.total - batch.completed - batch.failed;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Cancel this batch?"
      action="Cancel batch"
      danger
      loading={cancel.isPending}
      error={cancel.error}
      onConfirm={() =>
        cancel.mutate(
          { params: { batch: batch.id } },
          {
            onSuccess: () => {
              notify({ title: 'Batch is being cancelled', description: 'Lines that run end first.', kind: 'good' });
              onClose();
            },
          },
        )
      }
    >
      {batch.total === 0 ? 'None of its lines will run.' : `${formatCount(left)} of its lines have no result yet.`}{' '}
      Results so far are kept, and charged. This cannot be undone.
    </ConfirmDialog>
  );
}
