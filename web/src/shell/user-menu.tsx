import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { call } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { forgetSessionEnd } from '../api/session-end.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/overlays/menu.tsx';
import { notify } from '../components/overlays/toasts.tsx';
import { messageOf } from '../components/states.tsx';
import { openDocs } from '../navigation/open-docs.ts';
import { useTheme } from '../navigation/theme.ts';

export function UserMenu(): ReactElement {
  const { user, installation } = useSession();
  const { choice, choose } = useTheme();
  const signOut = useSignOut();
  const name = user.name === '' ? user.email : user.name;
  return (
    <Menu
      align="start"
      side="top"
      header={
        <>
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-xs text-muted">{user.email}</p>
          <p className="mt-1 text-xs text-muted">Turnpike {installation.version}</p>
        </>
      }
      items={[
        { label: 'Profile', icon: 'user', href: '/settings/profile' },
        { label: 'Docs', icon: 'docs', onSelect: openDocs },
        {
          label: 'Light theme',
          icon: 'sun',
          checked: choice === 'light',
          onSelect: () => choose('light'),
          separated: true,
        },
        { label: 'Dark theme', icon: 'moon', checked: choice === 'dark', onSelect: () => choose('dark') },
        { label: 'System theme', icon: 'system', checked: choice === 'system', onSelect: () => choose('system') },
        { label: 'Sign out', icon: 'signOut', onSelect: signOut, separated: true },
      ]}
      trigger={
        <button type="button" className="flex h-9 w-full items-center gap-2.5 rounded px-2 text-left hover:bg-sunken">
          <span
            aria-hidden="true"
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-medium text-accent-text"
          >
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <Icon name="up" className="text-muted" />
        </button>
      }
    />
  );
}

/** Ends the session and clears cached data. */
export function useSignOut(): () => void {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return () => {
    call('signOut', {}).then(
      () => {
        forgetSessionEnd();
        navigate('/sign-in');
        queryClient.clear();
      },
      (error: unknown) => notify({ title: 'Could not sign out', description: messageOf(error), kind: 'bad' }),
    );
  };
}
