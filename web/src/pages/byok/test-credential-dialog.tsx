import { type ReactElement, useEffect } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, Spinner } from '../../components/index.ts';
import { ConnectionReport } from '../providers/connection-report.tsx';
import type { OwnCredential } from './credential.ts';

export interface TestCredentialDialogProps {
  readonly credential: OwnCredential;
  readonly onClose: () => void;
}

/** Lists the provider's models, which costs nothing, as soon as it is opened. */
export function TestCredentialDialog({ credential, onClose }: TestCredentialDialogProps): ReactElement {
  const test = useChange('testOwnCredential');
  const { mutate } = test;
  const { id } = credential;
  useEffect(() => mutate({ params: { credential: id } }), [mutate, id]);
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title={`Test ${credential.name}`}
      description="Lists the provider’s models with this credential, at no cost."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {test.isPending && <Spinner />}
      <ConnectionReport report={test.data?.data} error={test.error} />
    </Dialog>
  );
}
