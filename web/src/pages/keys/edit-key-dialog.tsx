import { type ReactElement, useId, useState } from 'react';
import type { Key } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, notify, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { ExpiryField } from '../../forms/expiry-field.tsx';
import { draftOfScope, SCOPE_FIELDS, ScopeFields, scopeBody } from '../../forms/scope-fields.tsx';
import { CacheField } from './cache-field.tsx';
import { earlierWords } from './key-words.ts';
import { OriginsField } from './origins-field.tsx';

export function EditKeyDialog({ row, onClose }: { readonly row: Key; readonly onClose: () => void }): ReactElement {
  const form = useId();
  const update = useChange('updateKey');
  const [name, setName] = useState(row.name);
  const [scope, setScope] = useState(() => draftOfScope(row));
  const [expiresAt, setExpiresAt] = useState(row.expires_at);
  const [cacheSeconds, setCacheSeconds] = useState(row.cache_seconds);
  const [origins, setOrigins] = useState(row.origins ?? []);
  const body = {
    ...(name === row.name ? {} : { name }),
    ...(expiresAt === row.expires_at ? {} : { expires_at: expiresAt }),
    ...(cacheSeconds === row.cache_seconds ? {} : { cache_seconds: cacheSeconds }),
    ...(areSame(origins, row.origins ?? []) ? {} : { origins: origins.length === 0 ? null : origins }),
    ...scopeBody(scope, row),
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${row.name}`}
      description="Changes apply from the next request on."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={update.isPending}>
            Save changes
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate(
            { params: { key: row.id }, body },
            {
              onSuccess: ({ predecessors }) => {
                notify({ title: 'Key saved', description: earlierWords(predecessors), kind: 'good' });
                onClose();
              },
            },
          );
        }}
      >
        <Field label="Name" error={complaintAbout(update.error, 'name')}>
          <TextInput value={name} onChange={setName} required maxLength={200} autoComplete="off" />
        </Field>
        <ScopeFields
          value={scope}
          onChange={setScope}
          error={update.error}
          of="this key"
          addressesOnly={row.kind === 'management'}
        />
        {row.kind === 'inference' && (
          <>
            <OriginsField value={origins} onChange={setOrigins} error={update.error} />
            <CacheField value={cacheSeconds} onChange={setCacheSeconds} error={update.error} />
          </>
        )}
        <ExpiryField value={expiresAt} onChange={setExpiresAt} error={update.error} />
        {isAboutNone(update.error, ['name', 'expires_at', 'cache_seconds', 'origins', ...SCOPE_FIELDS]) && (
          <ErrorNote error={update.error} />
        )}
      </form>
    </Dialog>
  );
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
