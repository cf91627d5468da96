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
        onSuccess: () => notify({ title: 'Session ended', kind: 'good' }),
        onError: (error) => notify({ title: 'Could not end the session', description: messageOf(error), kind: 'bad' }),
      },
    );
  return (
    <Card
      flush
      title="Sessions"
      description="Where you are signed in. If you do not recognise a session, end it and change your password."
      actions={
        hasOthers && (
          <Button size="small" onClick={() => setAsked(true)}>
            End all other sessions
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
        action="End other sessions"
        loading={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() =>
          endOthers.mutate(
            {},
            {
              onSuccess: () => {
                notify({ title: 'All other sessions ended', kind: 'good' });
                setAsked(false);
              },
            },
          )
        }
      >
        You stay signed in here and are signed out everywhere else.
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
          {session.is_current && <Badge tone="accent">this session</Badge>}
        </span>
      ),
    },
    {
      id: 'ip',
      header: 'IP address',
      cell: ({ ip }) => <span className="font-mono text-xs break-all">{ip ?? '–'}</span>,
    },
    { id: 'seen', header: 'Last active', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
    { id: 'began', header: 'Signed in', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'ends', header: 'Expires', wideOnly: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      id: 'actions',
      header: 'Actions',
      isAction: true,
      cell: (session) =>
        !session.is_current && (
          <Button size="small" loading={ending === session.id} onClick={() => endOne(session)}>
            End session
          </Button>
        ),
    },
  ];
}
