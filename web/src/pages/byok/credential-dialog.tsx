import { type ReactElement, useId, useState } from 'react';
import type { ApiError } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, notify, Select, TagsInput, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { CredentialInput } from '../providers/credential-input.tsx';
import { ProviderOptionFields } from '../providers/provider-option-fields.tsx';
import { type OwnCredential, type OwnProvider, POLICIES, type Policy, policyBody, policyOf } from './credential.ts';

export interface CredentialDialogProps {
  /** Null stores a new one. */
  readonly credential: OwnCredential | null;
  readonly providers: readonly OwnProvider[];
  readonly onClose: () => void;
}

const FIELDS = ['provider', 'name', 'key', 'base_url', 'allowed_models', 'use', 'fallback', 'project'];

export function CredentialDialog({ credential, providers, onClose }: CredentialDialogProps): ReactElement {
  const form = useId();
  const create = useChange('createOwnCredential');
  const update = useChange('updateOwnCredential');
  const error: ApiError | null = create.error ?? update.error;
  const projects = useApi('listProjects', { query: {} });
  const [provider, setProvider] = useState(credential?.provider ?? providers[0]?.kind ?? '');
  const [name, setName] = useState(credential?.name ?? '');
  const [secret, setSecret] = useState('');
  const [project, setProject] = useState('');
  const [policy, setPolicy] = useState<Policy>(credential === null ? 'first' : policyOf(credential));
  const [models, setModels] = useState<readonly string[]>(credential?.allowed_models ?? []);
  const [baseUrl, setBaseUrl] = useState(credential?.base_url ?? '');
  const [options, setOptions] = useState<Readonly<Record<string, string>>>(credential?.options ?? {});
  const kind = providers.find((each) => each.kind === provider);
  const hasMoved = baseUrl.trim() !== (credential?.base_url ?? '');
  const save = (): void => {
    const done = {
      onSuccess: () => {
        notify({ title: credential === null ? 'Credential stored' : 'Credential saved', kind: 'good' });
        onClose();
      },
    };
    const body = {
      ...policyBody(policy),
      ...optionBody(options),
      allowed_models: models.length === 0 ? null : [...models],
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(hasMoved ? { base_url: baseUrl.trim() === '' ? null : baseUrl.trim() } : {}),
    };
    if (credential === null)
      return create.mutate(
        { body: { ...body, provider, key: secret.trim(), project: project === '' ? null : Number(project) } },
        done,
      );
    const key = secret.trim() === '' ? {} : { key: secret.trim() };
    update.mutate({ params: { credential: credential.id }, body: { ...body, ...key } }, done);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={credential === null ? 'Add own credential' : `Edit ${credential.name}`}
      description="The secret is encrypted and never shown again."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={create.isPending || update.isPending}>
            {credential === null ? 'Store credential' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        autoComplete="off"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {credential === null && (
          <Field label="Provider" error={complaintAbout(error, 'provider')}>
            <Select
              value={provider}
              onChange={(chosen) => {
                setProvider(chosen);
                setOptions({});
              }}
              options={providers.map((each) => ({ value: each.kind, label: each.display_name }))}
            />
          </Field>
        )}
        {kind !== undefined && (
          <ProviderOptionFields kind={kind} values={options} onChange={setOptions} error={error} />
        )}
        <Field
          label={credential === null ? 'Credential' : 'New credential'}
          optional={credential !== null && !hasMoved}
          {...(credential === null
            ? {}
            : {
                hint: hasMoved
                  ? 'Enter it again: a stored credential is not sent to a new address.'
                  : `Leave empty to keep ${credential.label}.`,
              })}
          error={complaintAbout(error, 'key')}
        >
          <CredentialInput value={secret} onChange={setSecret} required={credential === null} />
        </Field>
        <Field label="Used" error={complaintAbout(error, 'use') ?? complaintAbout(error, 'fallback')}>
          <Select value={policy} onChange={setPolicy} options={POLICIES} />
        </Field>
        {credential === null && (
          <Field label="Project" error={complaintAbout(error, 'project')}>
            <Select
              value={project}
              onChange={setProject}
              options={[
                { value: '', label: 'All projects' },
                ...(projects.data?.data ?? []).map((each) => ({ value: String(each.id), label: each.name })),
              ]}
            />
          </Field>
        )}
        <Field
          label="Models"
          optional
          hint="Ids, or prefixes with *, such as openai/gpt-5*. Empty for all."
          error={complaintAbout(error, 'allowed_models')}
        >
          <TagsInput value={models} onChange={setModels} placeholder="openai/*" />
        </Field>
        <Field
          label="Base URL"
          optional={kind?.origin !== null}
          hint={
            kind?.origin_example == null
              ? 'Leave empty to use the provider’s. Only public https addresses, unless the operator allows others.'
              : `Such as ${kind.origin_example}.`
          }
          error={complaintAbout(error, 'base_url')}
        >
          <TextInput type="url" value={baseUrl} onChange={setBaseUrl} mono />
        </Field>
        <Field label="Name" optional hint="The provider’s by default." error={complaintAbout(error, 'name')}>
          <TextInput value={name} onChange={setName} maxLength={200} autoComplete="off" />
        </Field>
        {isAboutNone(error, [...FIELDS, ...Object.keys(options)]) && <ErrorNote error={error} />}
      </form>
    </Dialog>
  );
}

/** The project and the account of a cloud have other names here, where `project` is one of the account's. */
function optionBody({
  region,
  location,
  api_version: version,
  project,
  account_id: account,
}: Readonly<Record<string, string>>) {
  const given = { region, location, api_version: version, google_project: project, cloudflare_account: account };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}
