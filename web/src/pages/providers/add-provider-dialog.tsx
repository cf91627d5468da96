import { type ReactElement, useId, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { type ServerDialect, serverDialects } from '../../api/dialects.ts';
import type { Provider } from '../../api/types.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, ErrorState, notify, SkeletonLines } from '../../components/index.ts';
import { isAboutNone } from '../../forms/complaint.ts';
import { ConnectionReport } from './connection-report.tsx';
import { bodyOf, freeName, type Kind } from './provider-draft.ts';
import { ProviderFields } from './provider-fields.tsx';

export interface AddProviderDialogProps {
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** `found`: models found by a connection test. */
  readonly onAdded: (provider: Provider, found: readonly string[]) => void;
}

export function AddProviderDialog(props: AddProviderDialogProps): ReactElement {
  const kinds = useApi('listProviderKinds', {}, { staleTime: 300_000 });
  const first = kinds.data?.data[0];
  if (kinds.data !== undefined && first !== undefined) {
    return <ProviderForm {...props} kinds={kinds.data.data} first={first} />;
  }
  return (
    <Dialog open onClose={props.onClose} title="Add provider">
      {kinds.error === null ? (
        <SkeletonLines lines={6} />
      ) : (
        <ErrorState error={kinds.error} retry={() => void kinds.refetch()} />
      )}
    </Dialog>
  );
}

interface ProviderFormProps extends AddProviderDialogProps {
  readonly kinds: readonly Kind[];
  readonly first: Kind;
}

function ProviderForm({ kinds, first, taken, onClose, onAdded }: ProviderFormProps): ReactElement {
  const form = useId();
  const create = useChange('createProvider');
  const test = useChange('tryProvider');
  const list = useChange('testProvider');
  const [draft, setDraft] = useState({
    kind: first,
    name: freeName(first.kind, taken),
    origin: '',
    credential: '',
    isOwnOnly: false,
    options: {},
    dialect: serverDialects[0].name as ServerDialect,
  });
  const body = bodyOf(draft);
  const canTry = draft.kind.origin !== null || draft.origin.trim() !== '';
  const change = (next: typeof draft): void => {
    test.reset();
    create.reset();
    setDraft(next.kind === draft.kind ? next : { ...next, name: freeName(next.kind.kind, taken), credential: '' });
  };
  const done = ({ data }: Answer<'createProvider'>): void => {
    notify({
      title: `${data.name} added`,
      description:
        data.models === 0 ? 'Add at least one model to start routing requests to it.' : 'Its models are available now.',
      kind: 'good',
    });
    const found = test.data?.data.model_names;
    // A self-hosted server is asked what runs there; a vendor's models are in the catalogue.
    if (found !== undefined || data.models > 0 || draft.kind.needs_credential) return onAdded(data, found ?? []);
    list.mutate(
      { params: { provider: data.name } },
      {
        onSuccess: (report) => onAdded(data, report.data.model_names),
        onError: () => onAdded(data, []),
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add provider"
      footer={
        <>
          <Button
            className="mr-auto"
            loading={test.isPending}
            disabled={!canTry}
            onClick={() => test.mutate({ body: { kind: draft.kind.kind, ...body } })}
          >
            Test connection
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={create.isPending || list.isPending}>
            Add provider
          </Button>
        </>
      }
    >
      <form
        id={form}
        autoComplete="off"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { name: draft.name, kind: draft.kind.kind, ...body } }, { onSuccess: done });
        }}
      >
        <ProviderFields kinds={kinds} value={draft} onChange={change} error={create.error} />
        <ConnectionReport report={test.data?.data} error={test.error} />
        {isAboutNone(create.error, ['name', 'origin', 'credential', ...draft.kind.options.map(({ name }) => name)]) && (
          <ErrorNote error={create.error} />
        )}
      </form>
    </Dialog>
  );
}
