import { type ReactElement, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import {
  Badge,
  Button,
  Card,
  type Column,
  ConfirmDialog,
  messageOf,
  notify,
  Table,
  Time,
} from '../../components/index.ts';
import { describeBrowser } from './describe-browser.ts';

type Session = Answer<'listSessions'>['data'][number];

/** Where the person is signed in. */
export function SessionsTab(): ReactElement {
  const sessions = useApi('listSessions', {});
  const end = useChange('endSession');
  const endOthers = useChange('endOtherSessions');
  const [isAsked, setAsked] = useState(false);
  const hasOthers = (sessions.data?.data.length ?? 0) > 1;
  const endOne = (session: Session): void =>
    end.mutate(
      { params: { session: session.id } },
      {
        onSuccess: () => notify({ title: 'The session has ended.', kind: 'good' }),
        onError: (error) => notify({ title: 'The session did not end.', description: messageOf(error), kind: 'bad' }),
      },
    );
  return (
    <Card
      flush
      title="Sessions"
      description="Where you are signed in. End what you do not know, then change your password."
      actions={
        hasOthers && (
          <Button size="small" onClick={() => setAsked(true)}>
            End all others
          </Button>
        )
      }
    >
      <Table
        label="Sessions"
        columns={columns(endOne, end.isPending ? end.variables.params.session : null)}
        rows={sessions.data?.data}
        rowKey={(session) => session.id}
        error={sessions.error}
        retry={() => void sessions.refetch()}
        skeletonRows={2}
      />
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="End all other sessions?"
        action="End them"
        loading={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() =>
          endOthers.mutate(
            {},
            {
              onSuccess: () => {
                notify({ title: 'Every other session has ended.', kind: 'good' });
                setAsked(false);
              },
            },
          )
        }
      >
        You stay signed in here. Everywhere else somebody has to sign in again.
      </ConfirmDialog>
    </Card>
  );
}

function columns(endOne: (session: Session) => void, ending: number | string | null): readonly Column<Session>[] {
  return [
    {
      id: 'browser',
      header: 'Browser',
      cell: (session) => (
        <span title={session.user_agent ?? undefined}>
          <span className="font-medium">{describeBrowser(session.user_agent)}</span>{' '}
          {session.is_current && <Badge tone="accent">this one</Badge>}
        </span>
      ),
    },
    { id: 'ip', header: 'Address', cell: ({ ip }) => <span className="font-mono text-xs break-all">{ip ?? '–'}</span> },
    { id: 'seen', header: 'Last used', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
    { id: 'began', header: 'Signed in', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'ends', header: 'Ends', wideOnly: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      id: 'actions',
      header: 'Actions',
      isAction: true,
      cell: (session) =>
        !session.is_current && (
          <Button size="small" loading={ending === session.id} onClick={() => endOne(session)}>
            End
          </Button>
        ),
    },
  ];
}
