import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Redirect } from 'wouter';
import { call } from '../../api/client.ts';
import { sessionKey, useSessionQuery } from '../../api/session.ts';
import { hasSessionEnded } from '../../api/session-end.ts';
import { ErrorState, Link, messageOf, Note, notify } from '../../components/index.ts';
import { CodeForm } from './code-form.tsx';
import { Frame } from './frame.tsx';
import { nextPath } from './next-path.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useEntry } from './use-entry.ts';

export default function SignInPage(): ReactElement | null {
  const { data: session, error, refetch } = useSessionQuery();
  const queryClient = useQueryClient();
  const enter = useEntry();
  if (session === undefined) return error === null ? null : <ErrorState error={error} retry={() => void refetch()} />;
  if (session.user !== null) return <Redirect to={nextPath(window.location.search)} replace />;
  if (session.awaits_totp) {
    // The pending session is dropped, or else the code would be asked for again.
    const giveUp = (): void => {
      call('signOut', {}).then(
        () => queryClient.invalidateQueries({ queryKey: sessionKey }),
        (reason: unknown) => notify({ title: 'Could not sign out', description: messageOf(reason), kind: 'bad' }),
      );
    };
    return (
      <Frame title="Two-factor authentication" description="Enter the code from your authenticator app.">
        <CodeForm onDone={enter} onBack={giveUp} />
      </Frame>
    );
  }
  const { set_up: isSetUp, sign_up: signUp } = session.installation;
  if (!isSetUp) {
    return (
      <Frame
        title="Turnpike is not set up yet"
        description="Open the setup link that the server printed on startup. It creates the admin account, works once and expires after 24 hours."
      >
        <p className="text-sm text-muted">
          To get a new link, run <code className="font-mono text-xs">npx --no turnpike admin reset</code> on the server.
        </p>
      </Frame>
    );
  }
  return (
    <Frame
      title="Sign in"
      footer={
        signUp === 'open' && (
          <>
            No account yet? <Link href="/sign-up">Sign up</Link>
          </>
        )
      }
    >
      {hasSessionEnded() && (
        <div role="status" className="mb-5">
          <Note>Your session has ended. Sign in again.</Note>
        </div>
      )}
      <SignInForm onDone={enter} />
    </Frame>
  );
}
