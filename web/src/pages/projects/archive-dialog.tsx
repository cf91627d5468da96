import type { ReactElement } from 'react';
import type { Project } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { ConfirmDialog, notify } from '../../components/index.ts';

/** Archives a project, or restores an archived one. */
export function ArchiveDialog({
  project,
  onClose,
}: {
  readonly project: Project;
  readonly onClose: () => void;
}): ReactElement {
  const update = useChange('updateProject');
  const archives = project.archived_at === null;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={archives ? `Archive ${project.name}?` : `Restore ${project.name}?`}
      action={archives ? 'Archive project' : 'Restore project'}
      danger={archives}
      loading={update.isPending}
      error={update.error}
      onConfirm={() =>
        update.mutate(
          { params: { project: project.id }, body: { archived: archives } },
          {
            onSuccess: () => {
              notify({ title: archives ? `${project.name} archived` : `${project.name} restored`, kind: 'good' });
              onClose();
            },
          },
        )
      }
    >
      {archives
        ? 'Requests with its keys are rejected. Its reports stay, and you can restore it later.'
        : 'Requests with its keys are accepted again.'}
    </ConfirmDialog>
  );
}
