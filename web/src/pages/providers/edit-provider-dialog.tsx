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
          notify({ title: 'Saved.', kind: 'good' });
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${provider.name}`}
      description="Calls that run keep what they began with."
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
            Save
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
        <Field label="Address" hint="Empty is that of the kind." error={complaintAbout(update.error, 'origin')}>
          <TextInput type="url" value={origin} onChange={setOrigin} mono />
        </Field>
        {!removes && (
          <Field
            label="New credential"
            optional={!hasMoved}
            hint={
              hasMoved
                ? 'Give it again: it is not sent to another address unasked.'
                : !had
                  ? 'Empty leaves it as it is.'
                  : hint === null
                    ? 'Empty keeps the one that is set.'
                    : `Empty keeps the one that ends in ${hint}.`
            }
            error={complaintAbout(update.error, 'credential')}
          >
            <CredentialInput value={credential} onChange={setCredential} />
          </Field>
        )}
        {had && <Checkbox checked={removes} onChange={setRemoves} label="Call it without a credential" />}
        {isAboutNone(update.error, ['origin', 'credential']) && <ErrorNote error={update.error} />}
      </form>
    </Dialog>
  );
}
