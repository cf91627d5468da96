import { type ReactElement, useState } from 'react';
import type { Body } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote, Field, RadioCards, Select, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { ExpiryField } from '../../forms/expiry-field.tsx';
import {
  draftOfScope,
  NO_SCOPE,
  SCOPE_FIELDS,
  type ScopeDraft,
  ScopeFields,
  scopeBody,
} from '../../forms/scope-fields.tsx';
import { CacheField } from './cache-field.tsx';
import { OriginsField } from './origins-field.tsx';

export interface KeyFormProps {
  /** Of the form, for the button of the dialog. */
  readonly id: string;
  /** A key to copy the settings from. */
  readonly from: Key | null;
  readonly project: string;
  readonly error: unknown;
  readonly onSubmit: (body: Body<'createKey'>) => void;
}

/** The form for a new key. */
export function KeyForm({ id, from, project, error, onSubmit }: KeyFormProps): ReactElement {
  const projects = useApi('listProjects', {});
  const isAdmin = useMay('admin');
  const [name, setName] = useState(from === null ? '' : `${from.name} copy`);
  const [chosen, setChosen] = useState(from === null ? project : String(from.project.id));
  const [kind, setKind] = useState<Key['kind']>(from?.kind ?? 'inference');
  const [scope, setScope] = useState(() => draftOfScope(from ?? NO_SCOPE));
  const [expiresAt, setExpiresAt] = useState<string | null>(null);
  const [cacheSeconds, setCacheSeconds] = useState(from?.cache_seconds ?? null);
  const [origins, setOrigins] = useState(from?.origins ?? []);
  const options = (projects.data?.data ?? []).map((each) => ({ value: String(each.id), label: each.name }));
  const projectId = options.some(({ value }) => value === chosen) ? chosen : (options[0]?.value ?? '');
  const isManagement = kind === 'management';
  return (
    <form
      id={id}
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({
          kind,
          ...(name.trim() === '' ? {} : { name }),
          ...(projectId === '' ? {} : { project: Number(projectId) }),
          ...(expiresAt === null ? {} : { expires_at: expiresAt }),
          ...(cacheSeconds === null || isManagement ? {} : { cache_seconds: cacheSeconds }),
          ...(origins.length === 0 || isManagement ? {} : { origins }),
          ...scopeBody(isManagement ? onlyAddresses(scope) : scope),
        });
      }}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" optional error={complaintAbout(error, 'name')}>
          <TextInput
            value={name}
            onChange={setName}
            maxLength={200}
            autoComplete="off"
            placeholder="Production backend"
          />
        </Field>
        <Field label="Project" error={complaintAbout(error, 'project')}>
          <Select value={projectId} onChange={setChosen} options={options} disabled={projects.data === undefined} />
        </Field>
      </div>
      {isAdmin && (
        <RadioCards
          label="Type"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'inference', title: 'Inference key', description: 'Calls models, for programs and tools.' },
            { value: 'management', title: 'Management key', description: 'Manages the account, for scripts.' },
          ]}
        />
      )}
      <ScopeFields value={scope} onChange={setScope} error={error} of="this key" addressesOnly={isManagement} />
      {!isManagement && <OriginsField value={origins} onChange={setOrigins} error={error} />}
      {!isManagement && <CacheField value={cacheSeconds} onChange={setCacheSeconds} error={error} />}
      <ExpiryField value={expiresAt} onChange={setExpiresAt} error={error} />
      {isAboutNone(error, ['name', 'project', 'expires_at', 'cache_seconds', 'origins', ...SCOPE_FIELDS]) && (
        <ErrorNote error={error} />
      )}
    </form>
  );
}

/** Limits typed before the type was switched do not apply. */
function onlyAddresses(scope: ScopeDraft): ScopeDraft {
  const none = draftOfScope(NO_SCOPE);
  return { limits: none.limits, permissions: { ...none.permissions, ips: scope.permissions.ips } };
}
