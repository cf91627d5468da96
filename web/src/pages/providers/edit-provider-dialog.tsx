import { type ReactElement, useId, useState } from 'react';
import type { Provider } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Checkbox, Dialog, ErrorNote, Field, notify, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { CredentialInput } from './credential-input.tsx';

export interface EditProviderDialogProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

export function EditProviderDialog({ provider, onClose }: EditProviderDialogProps): ReactElement {
  const form = useId();
  const update = useChange('updateProvider');
  const [origin, setOrigin] = useState(provider.origin);
  const [credential, setCredential] = useState('');
  const [removes, setRemoves] = useState(false);
  const { has_credential: had, credential_hint: hint } = provider;
  const hasMoved = origin.trim() !== provider.origin;
  const save = (): void =>
    update.mutate(
      {
        params: { provider: provider.name },
        body: {
          ...(hasMoved ? { origin: origin.trim() === '' ? null : origin.trim() } : {}),
          ...(removes ? { credential: null } : credential.trim() === '' ? {} : { credential: credential.trim() }),
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
            disabled={!hasMoved && !removes && credential.trim() === ''}
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
        {isAboutNone(update.error, ['origin', 'credential']) && <ErrorNote error={update.error} />}
      </form>
    </Dialog>
  );
}
