import { type ReactElement, useState } from 'react';
import { useSessionQuery } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Link } from '../../components/index.ts';
import { Frame } from './frame.tsx';
import { PersonForm } from './person-form.tsx';

export default function SignUpPage(): ReactElement | null {
  const [email, setEmail] = useState('');
  const { data: session } = useSessionQuery();
  const signUp = useChange('signUp');
  if (session === undefined) return null;
  const back = (
    <>
      Already have an account? <Link href="/sign-in">Sign in</Link>
    </>
  );
  if (session.installation.sign_up !== 'open') {
    return (
      <Frame
        title="Sign up"
        description={
          session.installation.sign_up === 'invitation'
            ? 'Sign-up is by invitation only. Ask a member for an invitation.'
            : 'Sign-up is closed. Ask the operator of this installation for an account.'
        }
        footer={back}
      />
    );
  }
  if (signUp.isSuccess) {
    return (
      <Frame
        title="Check your email"
        description={`We sent a link to ${email}. Open it to confirm your address and sign in.`}
        footer={back}
      />
    );
  }
  return (
    <Frame title="Sign up" footer={back}>
      <PersonForm
        action="Sign up"
        loading={signUp.isPending}
        error={signUp.error}
        onSubmit={(person) => {
          setEmail(person.email);
          signUp.mutate({ body: person });
        }}
      />
    </Frame>
  );
}
