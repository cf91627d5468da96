import { type ReactElement, type ReactNode, useState } from 'react';
import type { Answer, Body } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { ConfirmDialog, Menu, notify } from '../../components/index.ts';
import type { Person } from './person-columns.tsx';

type Change = 'disable' | 'enable' | 'make' | 'unmake';

export interface PersonActions {
  readonly menu: (person: Person) => ReactNode;
  readonly dialogs: ReactElement | null;
}

/** Grant and remove the operator role, disable and enable people; each with a confirmation. */
export function usePersonActions(): PersonActions {
  const [asked, setAsked] = useState<{ readonly change: Change; readonly person: Person } | null>(null);
  const menu = (person: Person): ReactNode => {
    const ask = (change: Change) => () => setAsked({ change, person });
    const isDisabled = person.disabled_at !== null;
    return (
      <Menu
        label={`Actions for ${person.name}`}
        items={[
          person.is_operator
            ? { label: 'Remove operator role', icon: 'lock', onSelect: ask('unmake') }
            : {
                label: 'Make operator',
                icon: 'lock',
                disabled: isDisabled,
                ...(isDisabled && { hint: 'Enable this person first.' }),
                onSelect: ask('make'),
              },
          isDisabled
            ? { label: 'Enable', icon: 'play', onSelect: ask('enable') }
            : { label: 'Disable', icon: 'pause', danger: true, separated: true, onSelect: ask('disable') },
        ]}
      />
    );
  };
  const dialogs = asked === null ? null : <ChangeDialog {...asked} onClose={() => setAsked(null)} />;
  return { menu, dialogs };
}

interface Words {
  readonly title: (name: string) => string;
  readonly action: string;
  readonly text: string;
  readonly done: (name: string) => string;
  readonly body: Body<'updatePerson'>;
  readonly danger: boolean;
}

const WORDS: Readonly<Record<Change, Words>> = {
  disable: {
    title: (name) => `Disable ${name}?`,
    action: 'Disable',
    text: 'They are signed out everywhere and cannot sign in. Management keys they created are disabled, and their pending invitations are cancelled. Other keys they created stay active. You can enable them again.',
    done: (name) => `${name} disabled`,
    body: { disabled: true },
    danger: true,
  },
  enable: {
    title: (name) => `Enable ${name}?`,
    action: 'Enable',
    text: 'They can sign in again, with their previous roles. Management keys that were disabled with them stay disabled until someone enables them.',
    done: (name) => `${name} can sign in again`,
    body: { disabled: false },
    danger: false,
  },
  make: {
    title: (name) => `Make ${name} an operator?`,
    action: 'Make operator',
    text: 'Operators run the installation: they can view and change every account, its balance and its members, and manage providers and people.',
    done: (name) => `${name} is now an operator`,
    body: { operator: true },
    danger: false,
  },
  unmake: {
    title: (name) => `Remove ${name} as operator?`,
    action: 'Remove operator role',
    text: 'They keep their roles in accounts and are signed out everywhere. Management keys and invitations they created in accounts where they are not an admin are revoked.',
    done: (name) => `${name} is no longer an operator`,
    body: { operator: false },
    danger: true,
  },
};

interface ChangeDialogProps {
  readonly change: Change;
  readonly person: Person;
  readonly onClose: () => void;
}

function ChangeDialog({ change, person, onClose }: ChangeDialogProps): ReactElement {
  const { user } = useSession();
  const update = useChange('updatePerson');
  const { title, action, text, done, body, danger } = WORDS[change];
  const isSelf = person.id === user.id;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title(isSelf ? 'yourself' : person.name)}
      action={action}
      danger={danger}
      loading={update.isPending}
      error={update.error}
      onConfirm={() =>
        update.mutate(
          { params: { person: String(person.id) }, body },
          {
            onSuccess: ({ ended }) => {
              const description = endedWords(ended);
              notify({ title: done(person.name), kind: 'good', ...(description && { description }) });
              onClose();
            },
          },
        )
      }
    >
      <p>{text}</p>
      {isSelf && danger && <p className="mt-2 text-text">This is you: you will be signed out immediately.</p>}
    </ConfirmDialog>
  );
}

function endedWords({ management_keys: keys, invitations }: Answer<'updatePerson'>['ended']): string | null {
  const words = [
    ...(keys === 0 ? [] : [keys === 1 ? '1 management key' : `${keys} management keys`]),
    ...(invitations === 0 ? [] : [invitations === 1 ? '1 invitation' : `${invitations} invitations`]),
  ];
  return words.length === 0 ? null : `Also revoked: ${words.join(', ')}.`;
}
