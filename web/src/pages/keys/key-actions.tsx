/** Actions on a key: the menu of a row or page, and the dialogs it opens. */
import { type ReactElement, useState } from 'react';
import type { Key } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Menu, type MenuItem, messageOf, notify } from '../../components/index.ts';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { earlierWords, isOver, useMayChange } from './key-words.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

type Asked = 'edit' | 'rotate' | 'revoke';

export interface KeyActions {
  readonly mayChange: (key: Key) => boolean;
  readonly edit: (key: Key) => void;
  /** A menu with every action the person may take; nothing for people who may only view. */
  readonly menu: (key: Key) => ReactElement | null;
  /** The same for a row, including the actions that are buttons on the key's page. */
  readonly rowMenu: (key: Key) => ReactElement | null;
  /** Render once, anywhere on the page. */
  readonly dialogs: ReactElement | null;
}

/** `onRotated`: where to go once the new secret of a rotated key is saved. */
export function useKeyActions(mayCreate: boolean, onRotated?: (key: Key) => void): KeyActions {
  const [asked, setAsked] = useState<{ readonly what: Asked; readonly key: Key } | null>(null);
  const mayChange = useMayChange();
  const setDisabled = useSetDisabled();
  const close = (): void => setAsked(null);
  const menu = (key: Key, isRow: boolean): ReactElement | null => {
    const items = keyItems(key, {
      isRow,
      mayChange: mayChange(key),
      mayCreate,
      ask: (what) => setAsked({ what, key }),
      setDisabled: (disabled) => setDisabled(key, disabled),
    });
    return items.length === 0 ? null : <Menu label={`Actions for ${key.name}`} items={items} />;
  };
  const dialogs =
    asked === null ? null : asked.what === 'edit' ? (
      <EditKeyDialog row={asked.key} onClose={close} />
    ) : asked.what === 'rotate' ? (
      <RotateKeyDialog row={asked.key} onClose={close} onRotated={onRotated} />
    ) : (
      <RevokeKeyDialog row={asked.key} onClose={close} />
    );
  return {
    mayChange,
    edit: (key) => setAsked({ what: 'edit', key }),
    menu: (key) => menu(key, false),
    rowMenu: (key) => menu(key, true),
    dialogs,
  };
}

interface Doing {
  readonly isRow: boolean;
  readonly mayChange: boolean;
  readonly mayCreate: boolean;
  readonly ask: (what: Asked) => void;
  readonly setDisabled: (disabled: boolean) => void;
}

function keyItems(key: Key, { isRow, mayChange, mayCreate, ask, setDisabled }: Doing): readonly MenuItem[] {
  const isOpen = !isOver(key);
  const mayRotate = isOpen && key.status !== 'retiring' && key.status !== 'archived' && key.status !== 'expired';
  // Creating a management key needs the same role as changing one.
  const mayDuplicate = mayCreate && (key.kind === 'inference' || mayChange);
  const duplicate: readonly MenuItem[] = mayDuplicate
    ? [{ label: 'Duplicate', icon: 'copy', href: `/keys?new=1&copy=${key.id}` }]
    : [];
  const use: readonly MenuItem[] =
    isRow && isOpen && key.kind === 'inference'
      ? [{ label: 'Use key', icon: 'connect', href: `/connect?key=${key.id}` }]
      : [];
  if (!mayChange || !isOpen) return [...use, ...duplicate];
  return [
    ...use,
    { label: 'Edit', icon: 'edit', onSelect: () => ask('edit') },
    ...duplicate,
    ...(mayRotate ? [{ label: 'Rotate', icon: 'refresh', onSelect: () => ask('rotate') } as const] : []),
    key.disabled
      ? { label: 'Enable', icon: 'play', onSelect: () => setDisabled(false) }
      : { label: 'Disable', icon: 'pause', onSelect: () => setDisabled(true) },
    { label: 'Revoke', icon: 'trash', danger: true, separated: true, onSelect: () => ask('revoke') },
  ];
}

/** Without a confirmation, because it can be undone. */
function useSetDisabled(): (key: Key, disabled: boolean) => void {
  const update = useChange('updateKey');
  const change = (key: Key, disabled: boolean, isUndo = false): void =>
    update.mutate(
      { params: { key: key.id }, body: { disabled } },
      {
        onSuccess: ({ predecessors }) =>
          notify({
            title: disabled ? `${key.name} disabled` : `${key.name} enabled`,
            description: `${disabled ? 'Requests with it are now rejected.' : 'Requests with it are accepted again.'}${earlierWords(predecessors)}`,
            kind: 'good',
            ...(isUndo ? {} : { undo: () => change(key, !disabled, true) }),
          }),
        onError: (error) =>
          notify({ title: `Could not change ${key.name}`, description: messageOf(error), kind: 'bad' }),
      },
    );
  return change;
}
