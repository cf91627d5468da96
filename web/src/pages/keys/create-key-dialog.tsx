import { type ReactElement, useId, useState } from 'react';
import { useMay } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import {
  Button,
  Dialog,
  ErrorNote,
  ErrorState,
  Field,
  RadioCards,
  Select,
  SkeletonLines,
  TextInput,
} from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { ExpiryField } from '../../forms/expiry-field.tsx';
import { draftOfScope, NO_SCOPE, SCOPE_FIELDS, ScopeFields, scopeBody } from '../../forms/scope-fields.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useNewSecret } from './use-new-secret.ts';

export interface CreateKeyDialogProps {
  /** Id of a key to begin with; null for none. */
  readonly copyOf: string | null;
  /** Id of the project that is chosen at first; the oldest one when it is empty. */
  readonly project: string;
  readonly onClose: () => void;
}

/** First the form, then the secret. */
export function CreateKeyDialog({ copyOf, project, onClose }: CreateKeyDialogProps): ReactElement {
  const model = useApi('readKey', { params: { key: copyOf ?? '' } }, { enabled: copyOf !== null });
  const [made, setMade] = useState<{ readonly key: Key; readonly secret: string } | null>(null);
  if (made !== null) {
    return (
      <SecretDialog
        title={`${made.key.name} is ready`}
        secret={made.secret}
        hasSnippets={made.key.kind === 'inference'}
        onClose={onClose}
      />
    );
  }
  if (copyOf !== null && model.data === undefined) {
    return (
      <Dialog open onClose={onClose} title="Create a key">
        {model.error === null ? (
          <SkeletonLines />
        ) : (
          <ErrorState error={model.error} title="The key to begin with could not be read." />
        )}
      </Dialog>
    );
  }
  return (
    <KeyForm
      from={copyOf === null ? null : (model.data?.data ?? null)}
      project={project}
      onClose={onClose}
      onMade={(key, secret) => setMade({ key, secret })}
    />
  );
}

interface KeyFormProps {
  readonly from: Key | null;
  readonly project: string;
  readonly onClose: () => void;
  readonly onMade: (key: Key, secret: string) => void;
}

function KeyForm({ from, project, onClose, onMade }: KeyFormProps): ReactElement {
  const form = useId();
  const create = useChange('createKey');
  const projects = useApi('listProjects', {});
  const keepSecret = useNewSecret();
  const isAdmin = useMay('admin');
  const [name, setName] = useState(from === null ? '' : `${from.name} copy`);
  const [chosen, setChosen] = useState(from === null ? project : String(from.project.id));
  const [kind, setKind] = useState<Key['kind']>(from?.kind ?? 'inference');
  const [scope, setScope] = useState(() => draftOfScope(from ?? NO_SCOPE));
  const [expiresAt, setExpiresAt] = useState<string | null>(null);
  const options = (projects.data?.data ?? []).map((each) => ({ value: String(each.id), label: each.name }));
  const projectId = options.some(({ value }) => value === chosen) ? chosen : (options[0]?.value ?? '');
  const isManagement = kind === 'management';
  const submit = (): void =>
    create.mutate(
      {
        body: {
          kind,
          ...(name.trim() === '' ? {} : { name }),
          ...(projectId === '' ? {} : { project: Number(projectId) }),
          ...(expiresAt === null ? {} : { expires_at: expiresAt }),
          ...scopeBody(isManagement ? onlyAddresses(scope) : scope),
        },
      },
      {
        onSuccess: (answer) => {
          keepSecret(answer.data, answer.key);
          onMade(answer.data, answer.key);
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create a key"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={create.isPending}>
            Create the key
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Name" optional error={complaintAbout(create.error, 'name')}>
            <TextInput
              value={name}
              onChange={setName}
              maxLength={200}
              autoComplete="off"
              placeholder="Production backend"
            />
          </Field>
          <Field label="Project" error={complaintAbout(create.error, 'project')}>
            <Select value={projectId} onChange={setChosen} options={options} disabled={projects.data === undefined} />
          </Field>
        </div>
        {isAdmin && (
          <RadioCards
            label="What it is for"
            value={kind}
            onChange={setKind}
            options={[
              { value: 'inference', title: 'Calls models', description: 'For programs and tools.' },
              { value: 'management', title: 'Manages the account', description: 'For scripts that make keys.' },
            ]}
          />
        )}
        <ScopeFields
          value={scope}
          onChange={setScope}
          error={create.error}
          of="this key"
          addressesOnly={isManagement}
        />
        <ExpiryField value={expiresAt} onChange={setExpiresAt} error={create.error} />
        {isAboutNone(create.error, ['name', 'project', 'expires_at', ...SCOPE_FIELDS]) && (
          <ErrorNote error={create.error} />
        )}
      </form>
    </Dialog>
  );
}

/** Limits that were typed before the other kind was chosen are not meant. */
function onlyAddresses(scope: ReturnType<typeof draftOfScope>): ReturnType<typeof draftOfScope> {
  const none = draftOfScope(NO_SCOPE);
  return { limits: none.limits, permissions: { ...none.permissions, ips: scope.permissions.ips } };
}
