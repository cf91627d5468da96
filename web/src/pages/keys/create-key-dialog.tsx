import { type ReactElement, useId, useState } from 'react';
import type { Key } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorState, SkeletonLines } from '../../components/index.ts';
import { KeyForm } from './key-form.tsx';
import { NewSecret } from './new-secret.tsx';
import { useNewSecret } from './use-new-secret.ts';

export interface CreateKeyDialogProps {
  /** Id of a key to duplicate; null for none. */
  readonly copyOf: string | null;
  /** Id of the preselected project; the oldest one when empty. */
  readonly project: string;
  readonly onClose: () => void;
}

/** The form, then the secret, in one dialog, so that the focus stays inside. Only its button closes the second step. */
export function CreateKeyDialog({ copyOf, project, onClose }: CreateKeyDialogProps): ReactElement {
  const form = useId();
  const model = useApi('readKey', { params: { key: copyOf ?? '' } }, { enabled: copyOf !== null });
  const create = useChange('createKey');
  const keepSecret = useNewSecret();
  const [made, setMade] = useState<{ readonly key: Key; readonly secret: string } | null>(null);
  const isReady = copyOf === null || model.data !== undefined;
  return (
    <Dialog
      open
      dismissible={made === null}
      onClose={onClose}
      title={made === null ? 'Create key' : `${made.key.name} created`}
      footer={
        made !== null ? (
          <Button onClick={onClose}>I’ve saved it</Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} kind="primary" loading={create.isPending} disabled={!isReady}>
              Create key
            </Button>
          </>
        )
      }
    >
      {made !== null ? (
        <NewSecret secret={made.secret} hasSnippets={made.key.kind === 'inference'} />
      ) : isReady ? (
        <KeyForm
          id={form}
          from={model.data?.data ?? null}
          project={project}
          error={create.error}
          onSubmit={(body) =>
            create.mutate(
              { body },
              {
                onSuccess: (answer) => {
                  keepSecret(answer.data, answer.key);
                  setMade({ key: answer.data, secret: answer.key });
                  create.reset();
                },
              },
            )
          }
        />
      ) : model.error === null ? (
        <SkeletonLines />
      ) : (
        <ErrorState error={model.error} title="Could not load the key to duplicate" />
      )}
    </Dialog>
  );
}
