import { type ReactElement, useEffect, useRef } from 'react';
import { useAccount } from '../../api/session.ts';
import { PageHeader, type Tab, Tabs } from '../../components/index.ts';
import { useGo } from '../../navigation/use-go.ts';
import { AccountTab } from './account-tab.tsx';
import { AppearanceTab } from './appearance-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

type Section = 'profile' | 'security' | 'sessions' | 'account' | 'appearance';

/** `/settings/<section>`: of the person, and of the account. */
export default function SettingsPage({
  params,
}: {
  readonly params: Readonly<Record<string, string | undefined>>;
}): ReactElement {
  const go = useGo();
  const account = useAccount();
  const tabs: readonly Tab<Section>[] = [
    { value: 'profile', label: 'Profile', content: <ProfileTab /> },
    { value: 'security', label: 'Security', content: <SecurityTab /> },
    { value: 'sessions', label: 'Sessions', content: <SessionsTab /> },
    ...(account === null
      ? []
      : [{ value: 'account' as const, label: 'Account', content: <AccountTab key={account.id} /> }]),
    { value: 'appearance', label: 'Appearance', content: <AppearanceTab /> },
  ];
  const section = tabs.find(({ value }) => value === params['section'])?.value ?? 'profile';
  const box = useRef<HTMLDivElement>(null);
  // On a phone the tabs are wider than the page: the chosen one must be in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is chosen
  useEffect(() => {
    const chosen = box.current?.querySelector('[role="tab"][aria-selected="true"]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [section]);
  return (
    <>
      <PageHeader title="Settings" />
      <div ref={box} className="max-w-3xl">
        <Tabs
          label="Settings"
          value={section}
          onChange={(next) => go(`/settings/${next}`, { replace: true })}
          tabs={tabs}
        />
      </div>
    </>
  );
}
