import { type ReactElement, useId, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { type Role, useInstallation } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, fieldError, SecretOnce, TextInput } from '../../components/index.ts';
import { RoleChoice } from './role-dialog.tsx';
import { useGivableRoles } from './roles.ts';

/** First the form, then the link, which is nowhere else. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const form = useId();
  const { mail } = useInstallation();
  const roles = useGivableRoles();
  const create = useChange('createInvitation');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  if (create.data !== undefined) return <LinkDialog made={create.data} onClose={onClose} />;
  const error = fieldError(create.error, 'email');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite somebody"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={create.isPending}>
            {mail && email.trim() !== '' ? 'Send the invitation' : 'Make a link'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { role, ...(email.trim() === '' ? {} : { email: email.trim() }) } });
        }}
      >
        <Field
          label="E-mail"
          optional
          error={error}
          hint={
            mail
              ? 'The address they sign in with; the link is mailed there. Without one, whoever has the link may join.'
              : 'The address they sign in with: nobody else can use the link. No mail is sent: hand the link over yourself.'
          }
        >
          <TextInput type="email" value={email} onChange={setEmail} autoComplete="off" maxLength={254} />
        </Field>
        <RoleChoice value={role} onChange={setRole} roles={roles} />
        {error === null && <ErrorNote error={create.error} />}
      </form>
    </Dialog>
  );
}

interface LinkDialogProps {
  readonly made: Answer<'createInvitation'>;
  readonly onClose: () => void;
}

function LinkDialog({ made: { data, link, mailed }, onClose }: LinkDialogProps): ReactElement {
  const isLate = useInstallation().mail && data.email !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={false}
      title={mailed ? 'The invitation is on its way' : 'Hand over this link'}
      description={
        mailed
          ? `It was mailed to ${data.email}. The same link:`
          : `Whoever opens it joins as ${data.role}. ${isLate ? 'The mail server has not taken the mail.' : 'No mail was sent.'}`
      }
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <SecretOnce
        name="Invitation link"
        secret={link}
        warning="This is shown once. It is good for one person, until it expires."
      />
    </Dialog>
  );
}
