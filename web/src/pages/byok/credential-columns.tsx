import type { ReactElement } from 'react';
import { Badge, type Column, Menu, type MenuItem, StatusBadge, Time } from '../../components/index.ts';
import { type OwnCredential, POLICY_WORDS, policyOf } from './credential.ts';

export type Asked = 'edit' | 'test' | 'rotate' | 'delete';

export interface CredentialDoing {
  readonly mayManage: boolean;
  readonly ask: (what: Asked, credential: OwnCredential) => void;
  readonly setDisabled: (credential: OwnCredential, disabled: boolean) => void;
}

export function credentialColumns(doing: CredentialDoing): readonly Column<OwnCredential>[] {
  return [
    { id: 'name', header: 'Name', cell: (credential) => <Name credential={credential} /> },
    {
      id: 'secret',
      header: 'Secret',
      cell: ({ label }) => <span className="font-mono text-xs whitespace-nowrap">{label}</span>,
    },
    { id: 'state', header: 'State', cell: (credential) => <CredentialState credential={credential} /> },
    {
      id: 'use',
      header: 'Used',
      cell: (credential) => <span className="whitespace-nowrap">{POLICY_WORDS[policyOf(credential)]}</span>,
    },
    {
      id: 'for',
      header: 'For',
      cell: ({ project, allowed_models: models }) => (
        <span className="text-sm wrap-anywhere">
          {project?.name ?? 'all projects'}
          {models !== null && <span className="block font-mono text-xs text-muted">{models.join(', ')}</span>}
        </span>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      isAction: true,
      cell: (credential) =>
        doing.mayManage ? <Menu label={`Actions for ${credential.name}`} items={actionsOf(credential, doing)} /> : null,
    },
  ];
}

function actionsOf(credential: OwnCredential, { ask, setDisabled }: CredentialDoing): readonly MenuItem[] {
  const { disabled } = credential;
  return [
    { label: 'Test', icon: 'check', onSelect: () => ask('test', credential) },
    { label: 'Edit', icon: 'edit', onSelect: () => ask('edit', credential) },
    { label: 'Rotate', icon: 'refresh', onSelect: () => ask('rotate', credential) },
    disabled
      ? { label: 'Enable', icon: 'play', onSelect: () => setDisabled(credential, false) }
      : { label: 'Disable', icon: 'pause', onSelect: () => setDisabled(credential, true) },
    { label: 'Delete', icon: 'trash', danger: true, separated: true, onSelect: () => ask('delete', credential) },
  ];
}

function Name({ credential }: { readonly credential: OwnCredential }): ReactElement {
  const { name, provider, base_url: baseUrl } = credential;
  return (
    <div className="min-w-0">
      <span className="font-medium wrap-anywhere">{name}</span>
      {provider !== name && <span className="ml-2 text-sm text-muted">{provider}</span>}
      {baseUrl !== null && <span className="block font-mono text-xs wrap-anywhere text-muted">{baseUrl}</span>}
    </div>
  );
}

function CredentialState({ credential }: { readonly credential: OwnCredential }): ReactElement {
  const { disabled, problem, standing, standing_at: at, previous_until: until } = credential;
  if (disabled) return <Badge>disabled</Badge>;
  if (problem !== null) return <Badge tone="bad">unusable</Badge>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StatusBadge status={standing} />
      {at !== null && <Time at={at} />}
      {until !== null && <Badge tone="warn">two secrets</Badge>}
    </span>
  );
}
