import { type ReactElement, useState } from 'react';
import { useSessionQuery } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote, Field, Link, TextInput } from '../../components/index.ts';
import { Frame } from './frame.tsx';

/** Asks for a link to set a new password. The answer is the same for every address. */
export default function ForgottenPage(): ReactElement | null {
  const [email, setEmail] = useState('');
  const { data: session } = useSessionQuery();
  const ask = useChange('forgotPassword');
  if (session === undefined) return null;
  const back = <Link href="/sign-in">Back to the sign-in page</Link>;
  if (!session.installation.mail) {
    return (
      <Frame
        title="Forgotten password"
        description="This installation sends no mail. An operator gets in again with a link that turnpike admin reset prints on the machine of the server; everybody else asks an operator."
        footer={back}
      />
    );
  }
  if (ask.isSuccess) {
    return (
      <Frame
        title="Look into your mail"
        description={`If ${email} has an account here, a link is on its way. It is good once, for an hour.`}
        footer={back}
      />
    );
  }
  return (
    <Frame title="Forgotten password" description="A link to set a new one is mailed to you." footer={back}>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate({ body: { email } });
        }}
      >
        <Field label="E-mail">
          <TextInput type="email" value={email} onChange={setEmail} required autoComplete="username" autoFocus />
        </Field>
        <ErrorNote error={ask.error} />
        <Button type="submit" kind="primary" size="large" loading={ask.isPending}>
          Send the link
        </Button>
      </form>
    </Frame>
  );
}
