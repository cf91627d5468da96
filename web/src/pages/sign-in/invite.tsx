import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../api/client.ts';
import { sessionKey, useSessionQuery } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote } from '../../components/index.ts';
import { CodeForm } from './code-form.tsx';
import { Frame } from './frame.tsx';
import { LinkGate } from './link-gate.tsx';
import { type Person, PersonForm } from './person-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useEntry } from './use-entry.ts';
import { forgetToken, type Link } from './use-link-token.ts';

/** `/invite#token=…`: signed-in people join as themselves; others sign up or sign in first. */
export default function InvitePage(): ReactElement {
  return (
    <LinkGate purpose="invitation" otherwise="Ask the person who invited you for a new link.">
      {(token, link) => <Invitation token={token} link={link} />}
    </LinkGate>
  );
}

function Invitation({ token, link }: { readonly token: string; readonly link: Link }): ReactElement | null {
  const { data: session } = useSessionQuery();
  const accept = useChange('acceptInvitation');
  const signIn = useChange('signIn');
  const signOut = useChange('signOut');
  const queryClient = useQueryClient();
  const enter = useEntry();
  const [isKnown, setKnown] = useState<{ readonly email: string; readonly wasTried: boolean } | null>(null);
  if (session === undefined) return null;
  const title = `Join ${link.account ?? 'an account'}`;
  const description = link.role === null ? undefined : `You are invited as ${link.role}.`;
  const goIn = (): void => {
    forgetToken();
    void enter('signed_in');
  };
  const join = (): void => accept.mutate({ body: { token } }, { onSuccess: goIn });
  // The response does not reveal whether the address is taken; only signing in with its password does.
  const joinAs = async (person: Person): Promise<void> => {
    const { email, password } = person;
    await accept.mutateAsync({ body: { token, ...person } });
    const status = await signIn.mutateAsync({ body: { email, password } }).then(
      ({ data }) => data.status,
      () => null,
    );
    if (status === null) return setKnown({ email, wasTried: true });
    if (status === 'totp_required') return readSession();
    // A new person is a member already; an existing one with this password joins now.
    await call('acceptInvitation', { body: { token } }).catch(() => undefined);
    goIn();
  };
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
            <Button kind="primary" loading={accept.isPending} onClick={join}>
              Join account
            </Button>
            <Button
              loading={signOut.isPending}
              onClick={() => signOut.mutate({}, { onSuccess: () => void readSession() })}
            >
              Use another account
            </Button>
          </div>
        </div>
      </Frame>
    );
  }
  if (session.awaits_totp) {
    return (
      <Frame title="Two-factor authentication" description="Enter the code from your authenticator app.">
        <CodeForm onDone={readSession} onBack={() => signOut.mutate({}, { onSuccess: () => void readSession() })} />
      </Frame>
    );
  }
  if (isKnown !== null) {
    return (
      <Frame
        title={title}
        description={
          isKnown.wasTried
            ? 'If you already have an account with this email, sign in with its password to join.'
            : 'Sign in to join.'
        }
      >
        <SignInForm key={isKnown.email} onDone={readSession} {...(isKnown.email !== '' && { email: isKnown.email })} />
      </Frame>
    );
  }
  return (
    <Frame
      title={title}
      description={description}
      footer={
        <>
          Already have an account?{' '}
          <button
            type="button"
            className="rounded-sm text-accent-text hover:underline"
            onClick={() => setKnown({ email: link.email ?? '', wasTried: false })}
          >
            Sign in
          </button>
        </>
      }
    >
      <PersonForm
        action="Join account"
        loading={accept.isPending || signIn.isPending}
        error={accept.error}
        email={link.email}
        onSubmit={(person) => void joinAs(person).catch(() => undefined)}
      />
    </Frame>
  );
}
