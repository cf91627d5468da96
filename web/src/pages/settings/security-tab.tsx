import { type ReactElement, useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Badge, Button, Card, ErrorState, Note, SkeletonLines } from '../../components/index.ts';
import { RemoveTotpDialog, RenewCodesDialog } from './code-dialogs.tsx';
import { SetUpTotpDialog } from './set-up-totp-dialog.tsx';

/** Two-factor authentication. */
export function SecurityTab(): ReactElement {
  const profile = useApi('readProfile', {});
  const [asked, setAsked] = useState<'set up' | 'remove' | 'codes' | null>(null);
  const close = (): void => setAsked(null);
  const data = profile.data?.data;
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          Authenticator {data !== undefined && (data.totp ? <Badge tone="good">on</Badge> : <Badge>off</Badge>)}
        </span>
      }
      description="A code from your authenticator app, in addition to your password."
    >
      {data === undefined ? (
        profile.error === null ? (
          <SkeletonLines lines={2} />
        ) : (
          <ErrorState error={profile.error} retry={() => void profile.refetch()} />
        )
      ) : data.totp ? (
        <div className="flex flex-col gap-4">
          <RecoveryState left={data.recovery_codes_left} />
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsked('codes')}>Create new recovery codes</Button>
            <Button onClick={() => setAsked('remove')}>Remove authenticator</Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-col items-start gap-4">
          <p className="text-muted">Keeps your sign-in safe even if someone learns your password.</p>
          <Button kind="primary" onClick={() => setAsked('set up')}>
            Set up authenticator
          </Button>
        </div>
      )}
      {asked === 'set up' && <SetUpTotpDialog onClose={close} />}
      {asked === 'remove' && <RemoveTotpDialog onClose={close} />}
      {asked === 'codes' && <RenewCodesDialog onClose={close} />}
    </Card>
  );
}

function RecoveryState({ left }: { readonly left: number }): ReactElement {
  if (left > 2) return <p className="text-muted">{left} recovery codes left, in case you lose your phone.</p>;
  const words =
    left === 0 ? 'No recovery codes left.' : left === 1 ? '1 recovery code left.' : '2 recovery codes left.';
  return <Note tone="warn">{words} Create new ones so that losing your phone does not lock you out.</Note>;
}
