import { type ReactElement, useState } from 'react';
import { useHasRole, useInstallation, useMay } from '../../../api/session.ts';
import { useApi, useChange } from '../../../api/use-api.ts';
import {
  Button,
  ConfirmDialog,
  CopyButton,
  ErrorState,
  Link,
  notify,
  SkeletonLines,
  Time,
} from '../../../components/index.ts';
import { BodyText } from './body-text.tsx';
import { curlOf } from './curl.ts';
import type { WholeCall } from './whole-call.ts';

/** The stored prompt and response; loaded only on request. */
export function CallBodies({ call }: { readonly call: WholeCall }): ReactElement {
  const [isShown, setShown] = useState(false);
  const mayRead = useHasRole('developer');
  if (!call.has_bodies) return <NoBodies />;
  if (!mayRead)
    return <p className="text-muted">The prompt and response are stored. You need the developer role to view them.</p>;
  if (isShown) return <Bodies call={call} />;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button icon="eye" onClick={() => setShown(true)}>
        Show
      </Button>
      <p className="text-sm text-muted">The prompt and response are stored. They may contain personal data.</p>
    </div>
  );
}

function NoBodies(): ReactElement {
  const { data } = useApi('readAccount', {}, { staleTime: 60_000 });
  const isOwner = useMay('owner');
  if (data?.data.capture.on === true)
    return <p className="text-muted">No prompt or response is stored for this request.</p>;
  return (
    <p className="text-muted">
      Prompts and responses are not stored for this account.{' '}
      <Link href="/settings/account">{isOwner ? 'Change data retention' : 'View data retention'}</Link>
    </p>
  );
}

function Bodies({ call }: { readonly call: WholeCall }): ReactElement {
  const remove = useChange('deleteBodies');
  // Not fetched again while it is being deleted.
  const enabled = !remove.isPending && !remove.isSuccess;
  const { data, error, refetch } = useApi('readBodies', { params: { call: call.id } }, { enabled });
  const [isDeleting, setDeleting] = useState(false);
  const mayDelete = useMay('admin');
  const { base_url } = useInstallation();
  if (data === undefined) {
    return error === null ? <SkeletonLines lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />;
  }
  const bodies = data.data;
  const curl = curlOf(base_url, call, bodies);
  return (
    <div className="flex flex-col gap-5">
      <BodyText title="Request" text={bodies.request} isTruncated={bodies.request_truncated} />
      <BodyText title="Response" text={bodies.response} isTruncated={bodies.response_truncated} />
      <div className="flex flex-wrap items-center gap-2">
        {curl !== null && <CopyButton text={curl} label="Copy as cURL" wide size="small" />}
        {mayDelete && (
          <Button size="small" icon="trash" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )}
        <span className="text-sm text-muted">
          Stored until <Time at={bodies.kept_until} as="whole" />.
        </span>
      </div>
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete the stored prompt and response?"
        action="Delete"
        loading={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { params: { call: call.id } },
            {
              onSuccess: () => {
                setDeleting(false);
                notify({ title: 'Prompt and response deleted', kind: 'good' });
              },
            },
          )
        }
      >
        The prompt and response of this request are deleted permanently. Its tokens and cost stay on record.
      </ConfirmDialog>
    </div>
  );
}
