import { type ReactElement, useState } from 'react';
import { useApi, useChange } from '../../api/use-api.ts';
import {
  Button,
  Card,
  ErrorNote,
  ErrorState,
  Field,
  fieldError,
  notify,
  SkeletonLines,
  TextInput,
} from '../../components/index.ts';
import { PasswordField } from '../sign-in/password-field.tsx';

export function ProfileTab(): ReactElement {
  const profile = useApi('readProfile', {});
  return (
    <div className="flex flex-col gap-6">
      <Card title="Profile">
        {profile.data !== undefined ? (
          <NameForm name={profile.data.data.name} email={profile.data.data.email} />
        ) : profile.error === null ? (
          <SkeletonLines lines={4} />
        ) : (
          <ErrorState error={profile.error} retry={() => void profile.refetch()} />
        )}
      </Card>
      <Card title="Password" description="Changing it signs you out everywhere else.">
        <PasswordForm email={profile.data?.data.email ?? ''} />
      </Card>
    </div>
  );
}

function NameForm({ name: before, email }: { readonly name: string; readonly email: string }): ReactElement {
  const update = useChange('updateProfile');
  const [name, setName] = useState(before);
  const error = fieldError(update.error, 'name');
  return (
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ body: { name } }, { onSuccess: () => notify({ title: 'Profile saved', kind: 'good' }) });
      }}
    >
      <Field label="Name" error={error}>
        <TextInput value={name} onChange={setName} required maxLength={200} autoComplete="name" />
      </Field>
      <Field label="Email" hint="You sign in with this address.">
        <TextInput type="email" value={email} onChange={ignore} readOnly className="bg-sunken text-muted" />
      </Field>
      {error === null && <ErrorNote error={update.error} />}
      <div>
        <Button
          type="submit"
          kind="primary"
          loading={update.isPending}
          disabled={name.trim() === '' || name === before}
        >
          Save profile
        </Button>
      </div>
    </form>
  );
}

function PasswordForm({ email }: { readonly email: string }): ReactElement {
  const change = useChange('changePassword');
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const currentError = fieldError(change.error, 'current_password');
  const nextError = fieldError(change.error, 'new_password');
  return (
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(
          { body: { current_password: current, new_password: next } },
          {
            onSuccess: () => {
              setCurrent('');
              setNext('');
              notify({
                title: 'Password changed',
                description: 'You were signed out everywhere else.',
                kind: 'good',
              });
            },
          },
        );
      }}
    >
      {/* For password managers: whose password it is. */}
      <input type="text" hidden readOnly autoComplete="username" value={email} />
      <PasswordField label="Current password" value={current} onChange={setCurrent} error={currentError} />
      <PasswordField label="New password" value={next} onChange={setNext} isNew error={nextError} />
      {currentError === null && nextError === null && <ErrorNote error={change.error} />}
      <div>
        <Button type="submit" loading={change.isPending} disabled={current === '' || next === ''}>
          Change password
        </Button>
      </div>
    </form>
  );
}

function ignore(): void {
  // It only is shown.
}
