import { type ReactElement, useId, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, fieldError, notify, TextInput } from '../../components/index.ts';

export function CreateAccountDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const form = useId();
  const create = useChange('createAccount');
  const [name, setName] = useState('');
  const error = fieldError(create.error, 'name');
  const done = (): void => {
    notify({ title: `${name.trim()} created`, description: 'Open the account to invite its members.', kind: 'good' });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title="Create account"
      description="It starts with one project and no members."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={create.isPending}>
            Create account
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { name } }, { onSuccess: done });
        }}
      >
        <Field label="Name" error={error}>
          <TextInput value={name} onChange={setName} required maxLength={200} autoComplete="off" />
        </Field>
        {error === null && <ErrorNote error={create.error} />}
      </form>
    </Dialog>
  );
}
