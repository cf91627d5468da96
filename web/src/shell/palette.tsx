import { Dialog as Base } from '@base-ui/react/dialog';
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { useAccount, useMay, useSession, useViewer } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { classNames } from '../components/class-names.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { menuEntries } from '../navigation/menu-groups.ts';
import { openDocs } from '../navigation/open-docs.ts';
import { chooseTheme } from '../navigation/theme-choice.ts';
import { useGo } from '../navigation/use-go.ts';
import { menuPath, menuRoutes } from '../routes.tsx';
import { callIdIn, findCommands } from './find-commands.ts';
import { useSignOut } from './user-menu.tsx';

interface Command {
  readonly id: string;
  /** Right of the label; pages have the group of the menu. */
  readonly group: string;
  readonly kind: 'page' | 'action' | 'other';
  readonly label: string;
  readonly icon: IconName;
  readonly detail?: string;
  /** Other words that people search for. */
  readonly words?: string;
  readonly run: () => void;
}

const SHOWN_MAX = 30;

/** What people do on a page, where its name does not say it. */
const WORDS: Readonly<Record<string, string>> = {
  '/keys': 'rotate revoke disable secret token',
  '/members': 'invite invitation role people team',
  '/billing': 'balance credits top up add transactions ledger refund money',
  '/usage': 'spend cost report',
  '/calls': 'logs calls generations',
  '/connect': 'tools snippets sdk curl claude code cursor',
  '/docs': 'documentation guides api reference help',
  '/settings/:section?': 'password profile sessions two-factor authenticator data retention theme close account',
  '/audit': 'history changes',
};

/** Ctrl-K: find pages, actions, keys, models and requests. */
export default function Palette({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const commands = useCommands(text);
  const found = useMemo(() => findCommands(commands, text).slice(0, SHOWN_MAX), [commands, text]);
  const chosen = found[Math.min(at, found.length - 1)];
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') run(chosen);
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((at - 1 + found.length) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    list.current
      ?.querySelector(`[data-command="${CSS.escape(chosen?.id ?? '')}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Base.Popup className="fixed inset-x-3 top-[12vh] z-40 mx-auto flex max-h-[70vh] max-w-xl flex-col overflow-hidden rounded-lg border bg-surface shadow-raised">
          <Base.Title className="sr-only">Search</Base.Title>
          <div className="flex items-center gap-3 border-b px-4">
            <Icon name="search" className="text-muted" />
            <input
              type="text"
              role="combobox"
              aria-label="Search pages, keys, models and actions"
              aria-expanded="true"
              aria-controls="palette-list"
              aria-autocomplete="list"
              aria-activedescendant={chosen === undefined ? undefined : `palette-${found.indexOf(chosen)}`}
              value={text}
              placeholder="Search or jump to…"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setText(event.target.value);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
              className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
            />
          </div>
          <div ref={list} id="palette-list" role="listbox" aria-label="Results" className="overflow-y-auto p-1.5">
            {found.map((command, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
              <div
                key={command.id}
                id={`palette-${index}`}
                data-command={command.id}
                role="option"
                tabIndex={-1}
                aria-selected={command === chosen}
                onClick={() => run(command)}
                onPointerMove={() => setAt(index)}
                className={classNames(
                  'flex cursor-default items-center gap-3 rounded px-2.5 py-2',
                  command === chosen && 'bg-accent-soft',
                )}
              >
                <Icon name={command.icon} className="text-muted" />
                <span className="min-w-0 flex-1 truncate">{command.label}</span>
                <span className="truncate text-xs text-muted">{command.detail ?? command.group}</span>
              </div>
            ))}
            {found.length === 0 && <p className="px-3 py-6 text-center text-muted">No results for “{text}”.</p>}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Keys and models are fetched once something is typed. */
function useCommands(text: string): readonly Command[] {
  const go = useGo();
  const { user } = useSession();
  const mayWrite = useMay('developer');
  const mayInvite = useMay('admin');
  const signOut = useSignOut();
  const hasAccount = useAccount() !== null;
  const viewer = useViewer();
  const typed = text.trim() !== '' && hasAccount;
  const call = hasAccount ? callIdIn(text) : null;
  const keys = useApi('listKeys', {}, { enabled: typed, staleTime: 60_000 }).data?.data;
  const models = useApi('listCatalog', {}, { enabled: typed, staleTime: 60_000 }).data?.data;
  return useMemo(() => {
    const actions: (Command | false)[] = [
      mayWrite && action('create-key', 'Create key', 'plus', () => go('/keys?new=1')),
      mayInvite && action('create-project', 'Create project', 'plus', () => go('/projects?new=1')),
      mayInvite && action('invite', 'Invite member', 'plus', () => go('/members?new=1')),
      user.is_operator && action('add-provider', 'Add provider', 'plus', () => go('/providers?new=1')),
      action('light', 'Use light theme', 'sun', () => chooseTheme('light')),
      action('dark', 'Use dark theme', 'moon', () => chooseTheme('dark')),
      action('system', 'Use system theme', 'system', () => chooseTheme('system')),
      action('sign-out', 'Sign out', 'signOut', signOut),
    ];
    return [
      ...(call === null
        ? []
        : [
            {
              id: 'call',
              group: 'Requests',
              kind: 'other',
              label: call,
              detail: 'Open request',
              // Matches whatever text it was pasted with.
              words: text,
              icon: 'calls',
              run: () => go(`/calls/${call}`),
            } as const,
          ]),
      ...menuEntries(menuRoutes, viewer).map(
        (entry): Command => ({
          id: `page ${entry.path}`,
          group: entry.menu.group ?? '',
          kind: 'page',
          label: entry.menu.label,
          icon: entry.menu.icon,
          words: WORDS[entry.path] ?? '',
          run: () => (entry.page === undefined ? openDocs() : go(menuPath(entry))),
        }),
      ),
      ...actions.filter((each) => each !== false),
      ...(keys ?? []).map(
        (key): Command => ({
          id: `key ${key.id}`,
          group: 'API keys',
          kind: 'other',
          label: key.name,
          detail: key.label,
          icon: 'keys',
          run: () => go(`/keys/${key.id}`),
        }),
      ),
      ...(models ?? []).map(
        (model): Command => ({
          id: `model ${model.id}`,
          group: 'Models',
          kind: 'other',
          label: model.id,
          icon: 'models',
          run: () => go(`/models?search=${encodeURIComponent(model.id)}`),
        }),
      ),
    ];
  }, [go, user, mayWrite, mayInvite, signOut, keys, models, call, text, viewer]);
}

function action(id: string, label: string, icon: IconName, run: () => void): Command {
  return { id, group: 'Actions', kind: 'action', label, icon, run };
}
