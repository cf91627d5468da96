import { type ReactElement, useId, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, notify, Select } from '../../components/index.ts';
import { formatTime } from '../../format/figures.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { CredentialInput } from '../providers/credential-input.tsx';
import type { OwnCredential } from './credential.ts';

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: '0', label: 'None: the old secret is deleted immediately' },
  { value: String(HOUR_MS), label: '1 hour' },
  { value: String(24 * HOUR_MS), label: '1 day' },
  { value: String(7 * 24 * HOUR_MS), label: '7 days' },
];

export interface RotateCredentialDialogProps {
  readonly credential: OwnCredential;
  readonly onClose: () => void;
}

/** A new secret for an own credential; its policy stays. */
export function RotateCredentialDialog({ credential, onClose }: RotateCredentialDialogProps): ReactElement {
  const form = useId();
  const rotate = useChange('rotateOwnCredential');
  const [secret, setSecret] = useState('');
  const [overlap, setOverlap] = useState('0');
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title={`Rotate ${credential.name}`}
      description={`The new secret replaces ${credential.label} from the next request on.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={rotate.isPending}>
            Rotate credential
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
          rotate.mutate(
            { params: { credential: credential.id }, body: { key: secret.trim(), overlap_ms: Number(overlap) } },
            {
              onSuccess: ({ data: { previous_until: until } }) => {
                notify({
                  title: `${credential.name} rotated`,
                  ...(until !== null && { description: `The old secret is tried until ${formatTime(until)}.` }),
                  kind: 'good',
                });
                onClose();
              },
            },
          );
        }}
      >
        <Field label="New secret" error={complaintAbout(rotate.error, 'key')}>
          <CredentialInput value={secret} onChange={setSecret} required />
        </Field>
        <Field label="Overlap" hint="How long the old secret is tried if the provider refuses the new one.">
          <Select value={overlap} onChange={setOverlap} options={OVERLAPS} />
        </Field>
        {isAboutNone(rotate.error, ['key']) && <ErrorNote error={rotate.error} />}
      </form>
    </Dialog>
  );
}
