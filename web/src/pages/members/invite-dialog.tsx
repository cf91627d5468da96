import { type ReactElement, useId, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useInstallation } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, fieldError, SecretOnce, TextInput } from '../../components/index.ts';
import type { Role } from '../../navigation/is-open-to.ts';
import { RoleChoice } from './role-dialog.tsx';
import { useGivableRoles } from './roles.ts';

/** The form, then the link, which is shown nowhere else. */
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
      title="Invite member"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={create.isPending}>
            {mail && email.trim() !== '' ? 'Send invitation' : 'Create link'}
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
          label="Email"
          optional
          error={error}
          hint={
            mail
              ? 'We send the invitation link to this address. Leave empty to create a link that anyone can use.'
              : 'Only this address can use the link. No email is sent: share the link yourself.'
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
      title={mailed ? 'Invitation sent' : 'Share this link'}
      description={
        mailed
          ? `We emailed this link to ${data.email}.`
          : `Opening it adds the person as ${data.role}. ${isLate ? 'The email could not be sent.' : 'No email was sent.'}`
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
        warning="Copy it now: it will not be shown again. It works for one person, until it expires."
      />
    </Dialog>
  );
}
