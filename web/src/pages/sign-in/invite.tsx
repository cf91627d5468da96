import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { sessionKey, useSessionQuery } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote } from '../../components/index.ts';
import { CodeForm } from './code-form.tsx';
import { Frame } from './frame.tsx';
import { LinkGate } from './link-gate.tsx';
import { PersonForm } from './person-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useEntry } from './use-entry.ts';
import { forgetToken, type Link } from './use-link-token.ts';

/** `/invite#token=…`: who is signed in joins as who they are, who is known signs in first, others say who they are. */
export default function InvitePage(): ReactElement {
  return (
    <LinkGate purpose="invitation" otherwise="Whoever invited you can make a new one.">
      {(token, link) => <Invitation token={token} link={link} />}
    </LinkGate>
  );
}

function Invitation({ token, link }: { readonly token: string; readonly link: Link }): ReactElement | null {
  const { data: session } = useSessionQuery();
  const accept = useChange('acceptInvitation');
  const signOut = useChange('signOut');
  const queryClient = useQueryClient();
  const enter = useEntry();
  if (session === undefined) return null;
  const title = `Join ${link.account ?? 'an account'}`;
  const description = link.role === null ? undefined : `You are invited as ${link.role}.`;
  const join = (person: { email?: string; name?: string; password?: string }): void =>
    accept.mutate(
      { body: { token, ...person } },
      {
        onSuccess: ({ data }) => {
          forgetToken();
          void enter(data.status);
        },
      },
    );
  const readSession = async (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionKey });
  if (session.user !== null) {
    return (
      <Frame title={title} description={description}>
        <div className="flex flex-col gap-4">
          <p>
            You are signed in as <span className="font-medium">{session.user.email}</span>.
          </p>
          <ErrorNote error={accept.error} />
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" loading={accept.isPending} onClick={() => join({})}>
              Join
            </Button>
            <Button
              loading={signOut.isPending}
              onClick={() => signOut.mutate({}, { onSuccess: () => void readSession() })}
            >
              Be somebody else
            </Button>
          </div>
        </div>
      </Frame>
    );
  }
  if (session.awaits_totp) {
    return (
      <Frame title="Second step" description="The code that your authenticator shows now.">
        <CodeForm onDone={readSession} onBack={() => signOut.mutate({}, { onSuccess: () => void readSession() })} />
      </Frame>
    );
  }
  if (link.is_known) {
    return (
      <Frame title={title} description={`${description ?? ''} Sign in to accept.`}>
        <SignInForm onDone={readSession} {...(link.email === null ? {} : { email: link.email })} hasForgotten={false} />
      </Frame>
    );
  }
  return (
    <Frame title={title} description={description}>
      <PersonForm action="Join" loading={accept.isPending} error={accept.error} email={link.email} onSubmit={join} />
    </Frame>
  );
}
