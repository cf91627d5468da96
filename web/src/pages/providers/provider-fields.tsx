import type { ReactElement } from 'react';
import { serverDialects } from '../../api/dialects.ts';
import { Field, RadioCards, Select, Switch, TextInput } from '../../components/index.ts';
import { complaintAbout } from '../../forms/complaint.ts';
import { CredentialInput } from './credential-input.tsx';
import { fetchesKeys, type Kind, type ProviderDraft, speaksAny } from './provider-draft.ts';
import { ProviderOptionFields } from './provider-option-fields.tsx';

export interface ProviderFieldsProps {
  readonly kinds: readonly Kind[];
  readonly value: ProviderDraft;
  readonly onChange: (value: ProviderDraft) => void;
  readonly error: unknown;
}

export function ProviderFields({ kinds, value, onChange, error }: ProviderFieldsProps): ReactElement {
  const { kind } = value;
  const choose = (name: string): void => {
    const chosen = kinds.find((each) => each.kind === name);
    if (chosen !== undefined) onChange({ ...value, kind: chosen, origin: '', options: {} });
  };
  const needsCredential = kind.needs_credential && !fetchesKeys(value) && !value.isOwnOnly;
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Provider" hint={<Documentation address={kind.documentation} />}>
          <Select
            value={kind.kind}
            onChange={choose}
            options={kinds.map((each) => ({ value: each.kind, label: each.display_name }))}
          />
        </Field>
        <Field label="Name" hint="Shown in reports." error={complaintAbout(error, 'name')}>
          <TextInput
            value={value.name}
            onChange={(name) => onChange({ ...value, name: name.toLowerCase() })}
            required
            maxLength={63}
            pattern="[a-z0-9][a-z0-9._\-]{0,62}"
            title="Lower-case letters and digits, with . _ - in between."
            mono
          />
        </Field>
      </div>
      <Field
        label="Base URL"
        optional={kind.origin !== null}
        hint={
          kind.origin === null
            ? `Scheme, host and port, such as ${kind.origin_example ?? 'http://10.0.0.5:8000'}`
            : 'Only if it differs from the default.'
        }
        error={complaintAbout(error, 'origin')}
      >
        <TextInput
          type="url"
          value={value.origin}
          onChange={(origin) => onChange({ ...value, origin })}
          required={kind.origin === null}
          placeholder={kind.origin ?? undefined}
          mono
        />
      </Field>
      <ProviderOptionFields
        kind={kind}
        values={value.options}
        onChange={(options) => onChange({ ...value, options })}
        error={error}
      />
      {speaksAny(kind) && (
        <Field label="API format">
          <RadioCards
            value={value.dialect}
            onChange={(dialect) => onChange({ ...value, dialect })}
            options={serverDialects.map(({ name, title, path }) => ({ value: name, title, description: path }))}
          />
        </Field>
      )}
      <Switch
        checked={value.isOwnOnly}
        onChange={(isOwnOnly) => onChange({ ...value, isOwnOnly, credential: '' })}
        label="Accounts bring their own"
        hint="Requests are sent with own credentials of accounts and projects only; you need none."
      />
      {!value.isOwnOnly && (
        <Field
          label="Credential"
          optional={!needsCredential}
          hint={credentialHint(kind.kind)}
          error={complaintAbout(error, 'credential')}
        >
          <CredentialInput
            value={value.credential}
            onChange={(credential) => onChange({ ...value, credential })}
            required={needsCredential}
          />
        </Field>
      )}
    </>
  );
}

/** What to enter where that is more than an API key. */
function credentialHint(kind: string): string {
  const forms = CREDENTIAL_FORMS[kind];
  return `${forms === undefined ? '' : `${forms} `}Stored encrypted, and never shown again.`;
}

const CREDENTIAL_FORMS: Readonly<Record<string, string>> = {
  azure: 'An API key, or an application in Entra ID as TENANT:CLIENT_ID:CLIENT_SECRET.',
  bedrock: 'A Bedrock API key, or access keys as ID:SECRET or ID:SECRET:SESSION_TOKEN.',
  vertex: 'The JSON key of a service account, or an access token.',
};

/** Only an https URL becomes a link: texts from the API are not trusted further. */
function Documentation({ address }: { readonly address: string }): ReactElement {
  if (!address.startsWith('https://')) return <>A self-hosted server.</>;
  return (
    <a href={address} target="_blank" rel="noreferrer" className="text-accent-text underline-offset-2 hover:underline">
      Documentation<span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
