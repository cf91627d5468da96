import { type ReactElement, useState } from 'react';
import { useSessionQuery } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote, Field, Link, TextInput } from '../../components/index.ts';
import { Frame } from './frame.tsx';

/** Asks for a link to set a new password. The result looks the same for every address. */
export default function ForgottenPage(): ReactElement | null {
  const [email, setEmail] = useState('');
  const { data: session } = useSessionQuery();
  const ask = useChange('forgotPassword');
  if (session === undefined) return null;
  const back = <Link href="/sign-in">Back to sign in</Link>;
  if (!session.installation.mail) {
    return (
      <Frame
        title="Reset password"
        description="This installation does not send email. Ask your administrator for help. Operators can run turnpike admin reset on the server to get a sign-in link."
        footer={back}
      />
    );
  }
  if (ask.isSuccess) {
    return (
      <Frame
        title="Check your email"
        description={`If ${email} has an account, we sent a link to reset the password. It works once and expires in an hour.`}
        footer={back}
      />
    );
  }
  return (
    <Frame title="Reset password" description="We email you a link to set a new password." footer={back}>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate({ body: { email } });
        }}
      >
        <Field label="Email">
          <TextInput type="email" value={email} onChange={setEmail} required autoComplete="username" autoFocus />
        </Field>
        <ErrorNote error={ask.error} />
        <Button type="submit" kind="primary" size="large" loading={ask.isPending}>
          Send link
        </Button>
      </form>
    </Frame>
  );
}
