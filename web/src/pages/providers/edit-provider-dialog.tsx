import { type ReactElement, useId, useState } from 'react';
import type { Provider } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button, Checkbox, Dialog, ErrorNote, Field, notify, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { CredentialInput } from './credential-input.tsx';
import { changesOf } from './provider-draft.ts';
import { ProviderOptionFields } from './provider-option-fields.tsx';

export interface EditProviderDialogProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

export function EditProviderDialog({ provider, onClose }: EditProviderDialogProps): ReactElement {
  const form = useId();
  const update = useChange('updateProvider');
  const [origin, setOrigin] = useState(provider.origin);
  const kinds = useApi('listProviderKinds', {}, { staleTime: 300_000 });
  const kind = kinds.data?.data.find((each) => each.kind === provider.kind);
  const [options, setOptions] = useState<Readonly<Record<string, string>>>(provider.options);
  const [credential, setCredential] = useState('');
  const [removes, setRemoves] = useState(false);
  const { has_credential: had, credential_hint: hint } = provider;
  const hasMoved = origin.trim() !== provider.origin;
  const changedOptions = changesOf(provider.options, options);
  const hasChanged = hasMoved || Object.keys(changedOptions).length > 0;
  const save = (): void =>
    update.mutate(
      {
        params: { provider: provider.name },
        body: {
          ...changedOptions,
          ...(hasMoved ? { origin: origin.trim() === '' ? null : origin.trim() } : {}),
          ...(removes ? { credential: null } : credential.trim() === '' ? {} : { credential: credential.trim() }),
          // With a credential it serves everyone.
          ...(credential.trim() !== '' && provider.own_credentials_only ? { own_credentials_only: false } : {}),
        },
      },
      {
        onSuccess: () => {
          notify({ title: 'Provider saved', kind: 'good' });
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${provider.name}`}
      description="Running requests keep the settings they started with."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            kind="primary"
            loading={update.isPending}
            disabled={!hasChanged && !removes && credential.trim() === ''}
          >
            Save changes
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
        <Field
          label="Base URL"
          hint="Leave empty to use the default of this provider type."
          error={complaintAbout(update.error, 'origin')}
        >
          <TextInput type="url" value={origin} onChange={setOrigin} mono />
        </Field>
        {kind !== undefined && (
          <ProviderOptionFields kind={kind} values={options} onChange={setOptions} error={update.error} />
        )}
        {!removes && (
          <Field
            label="New credential"
            optional={!hasMoved}
            hint={
              hasMoved
                ? 'Enter it again: a stored credential is not sent to a new address.'
                : !had
                  ? 'Leave empty to keep it unchanged.'
                  : hint === null
                    ? 'Leave empty to keep the current one.'
                    : `Leave empty to keep the current one, ending in ${hint}.`
            }
            error={complaintAbout(update.error, 'credential')}
          >
            <CredentialInput value={credential} onChange={setCredential} />
          </Field>
        )}
        {had && <Checkbox checked={removes} onChange={setRemoves} label="Send no credential" />}
        {isAboutNone(update.error, ['origin', 'credential', ...Object.keys(options)]) && (
          <ErrorNote error={update.error} />
        )}
      </form>
    </Dialog>
  );
}
