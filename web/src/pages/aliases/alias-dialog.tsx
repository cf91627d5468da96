import { type ReactElement, useId, useState } from 'react';
import type { Answer, ApiError } from '../../api/client.ts';
import type { Alias } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, notify, RadioCards, Select, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { scopeText } from './alias-columns.tsx';
import { ACCOUNT_SCOPE, aliasBody, draftOf, INSTALLATION_SCOPE } from './alias-draft.ts';
import { TargetRows } from './target-rows.tsx';

export interface AliasDialogProps {
  /** Null creates a new one. */
  readonly alias: (Alias & { readonly id: number }) | null;
  readonly isOperator: boolean;
  readonly onClose: () => void;
}

const FIELDS = ['name', 'project', 'choice', 'targets'];

export function AliasDialog({ alias, isOperator, onClose }: AliasDialogProps): ReactElement {
  const form = useId();
  const projects = useApi('listProjects', { query: {} }, { enabled: alias === null });
  const create = useChange('createAlias');
  const createForAll = useChange('createInstallationAlias');
  const update = useChange('updateAlias');
  const updateForAll = useChange('updateInstallationAlias');
  const changes = [create, createForAll, update, updateForAll];
  const error: ApiError | null = changes.find((change) => change.error !== null)?.error ?? null;
  const [draft, setDraft] = useState(() => draftOf(alias));
  const save = (): void => {
    const body = aliasBody(draft);
    const done = {
      onSuccess: ({ data }: Answer<'createAlias'>) => {
        notify({
          title: alias === null ? `${body.name} created` : 'Alias saved',
          ...(data.is_shadowed
            ? { description: 'The configuration file hides it: it has an alias with this name.', kind: 'neutral' }
            : { kind: 'good' }),
        });
        onClose();
      },
    };
    const isShared = draft.scope === INSTALLATION_SCOPE;
    if (alias !== null) return (isShared ? updateForAll : update).mutate({ params: { alias: alias.id }, body }, done);
    if (isShared) return createForAll.mutate({ body }, done);
    const project = draft.scope === ACCOUNT_SCOPE ? null : Number(draft.scope);
    create.mutate({ body: { ...body, project } }, done);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={alias === null ? 'Create alias' : `Edit ${alias.name}`}
      description="Requests use the name in place of a model ID. A key still needs permission for the model."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={changes.some((change) => change.isPending)}>
            {alias === null ? 'Create alias' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Name" hint="Such as fast or team/default." error={complaintAbout(error, 'name')}>
            <TextInput
              value={draft.name}
              onChange={(name) => setDraft({ ...draft, name })}
              required
              mono
              maxLength={100}
              autoComplete="off"
            />
          </Field>
          {alias === null ? (
            <Field label="For" error={complaintAbout(error, 'project')}>
              <Select
                value={draft.scope}
                onChange={(scope) => setDraft({ ...draft, scope })}
                options={scopeOptions(projects.data?.data ?? [], isOperator)}
              />
            </Field>
          ) : (
            <div className="flex flex-col gap-1.5">
              <span className="font-medium">For</span>
              <span>{scopeText(alias)}</span>
            </div>
          )}
        </div>
        <TargetRows
          value={draft.targets}
          onChange={(targets) => setDraft({ ...draft, targets })}
          error={complaintAbout(error, 'targets')}
        />
        <Field label="How one of several is chosen" error={complaintAbout(error, 'choice')}>
          <RadioCards
            value={draft.choice}
            onChange={(choice) => setDraft({ ...draft, choice })}
            options={[
              { value: 'key', title: 'By key', description: 'All requests of a key get the same model.' },
              { value: 'random', title: 'At random', description: 'Each request is a new draw.' },
            ]}
          />
        </Field>
        {isAboutNone(error, FIELDS) && <ErrorNote error={error} />}
      </form>
    </Dialog>
  );
}

function scopeOptions(projects: readonly { readonly id: number; readonly name: string }[], isOperator: boolean) {
  return [
    { value: ACCOUNT_SCOPE, label: 'This account' },
    ...projects.map(({ id, name }) => ({ value: String(id), label: `Project ${name}` })),
    ...(isOperator ? [{ value: INSTALLATION_SCOPE, label: 'All accounts' }] : []),
  ];
}
