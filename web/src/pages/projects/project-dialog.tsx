import { type ReactElement, useId, useState } from 'react';
import type { ApiError } from '../../api/client.ts';
import type { Project } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, notify, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { draftOfScope, NO_SCOPE, SCOPE_FIELDS, ScopeFields, scopeBody } from '../../forms/scope-fields.tsx';

export interface ProjectDialogProps {
  /** Null creates a new one. */
  readonly project: Project | null;
  readonly onClose: () => void;
}

export function ProjectDialog({ project, onClose }: ProjectDialogProps): ReactElement {
  const form = useId();
  const create = useChange('createProject');
  const update = useChange('updateProject');
  const error: ApiError | null = create.error ?? update.error;
  const [name, setName] = useState(project?.name ?? '');
  const [scope, setScope] = useState(() => draftOfScope(project ?? NO_SCOPE));
  const save = (): void => {
    const done = {
      onSuccess: () => {
        notify({ title: project === null ? `${name.trim()} created` : 'Project saved', kind: 'good' });
        onClose();
      },
    };
    if (project === null) return create.mutate({ body: { name, ...scopeBody(scope) } }, done);
    const body = { ...(name === project.name ? {} : { name }), ...scopeBody(scope, project) };
    update.mutate({ params: { project: project.id }, body }, done);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={project === null ? 'Create project' : `Edit ${project.name}`}
      {...(project === null ? {} : { description: 'Changes apply from the next request on.' })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={create.isPending || update.isPending}>
            {project === null ? 'Create project' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label="Name" error={complaintAbout(error, 'name')}>
          <TextInput value={name} onChange={setName} required maxLength={200} autoComplete="off" />
        </Field>
        <ScopeFields value={scope} onChange={setScope} error={error} of="all keys of this project together" />
        {isAboutNone(error, ['name', ...SCOPE_FIELDS]) && <ErrorNote error={error} />}
      </form>
    </Dialog>
  );
}
