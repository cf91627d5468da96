import type { ReactElement } from 'react';
import type { Project } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { ConfirmDialog, notify } from '../../components/index.ts';

/** Archives a project, or brings back one that is archived. */
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
      title={archives ? `Archive ${project.name}?` : `Bring ${project.name} back?`}
      action={archives ? 'Archive' : 'Bring back'}
      danger={archives}
      loading={update.isPending}
      error={update.error}
      onConfirm={() =>
        update.mutate(
          { params: { project: project.id }, body: { archived: archives } },
          {
            onSuccess: () => {
              notify({ title: archives ? `${project.name} is archived.` : `${project.name} is back.`, kind: 'good' });
              onClose();
            },
          },
        )
      }
    >
      {archives
        ? 'Calls with its keys are refused from now on. Its reports stay, and it can be brought back.'
        : 'Calls with its keys are taken again.'}
    </ConfirmDialog>
  );
}
