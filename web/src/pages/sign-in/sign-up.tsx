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
      Have an account? <Link href="/sign-in">Sign in</Link>
    </>
  );
  if (session.installation.sign_up !== 'open') {
    return (
      <Frame
        title="Sign up"
        description={
          session.installation.sign_up === 'invitation'
            ? 'Accounts here are by invitation: ask somebody who has one.'
            : 'New accounts are made by the operator of this installation.'
        }
        footer={back}
      />
    );
  }
  if (signUp.isSuccess) {
    return (
      <Frame
        title="Look into your mail"
        description={`A link to confirm ${email} is on its way. Nothing can be used before.`}
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
