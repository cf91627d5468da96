/** Who is signed in, and which account the page is about. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { hasRole, type Role, type Viewer } from '../navigation/is-open-to.ts';
import { type Answer, type ApiError, call } from './client.ts';
import { fartherAccount } from './farther-account.ts';

export type Session = Answer<'readSession'>['data'];
export type SessionAccount = Session['accounts'][number];
export type User = NonNullable<Session['user']>;

export const sessionKey = ['session', 'readSession', {}] as const;

export function useSessionQuery(): UseQueryResult<Session, ApiError> {
  return useQuery<Session, ApiError>({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => (await call('readSession', {}, { signal })).data,
    staleTime: 60_000,
  });
}

/** Only below the shell, where a person is signed in. */
export function useSession(): Session & { readonly user: User } {
  const { data } = useSessionQuery();
  if (data?.user == null) throw new Error('No one is signed in.');
  return { ...data, user: data.user };
}

export function useInstallation(): Session['installation'] {
  return useSession().installation;
}

/** The page's account: that of `?account=`, else the first one. Null for an operator without any. */
export function useAccount(): SessionAccount | null {
  const session = useSession();
  const asked = new URLSearchParams(useSearch()).get('account');
  const farther = fartherAccount(session, asked);
  const details = useDetails(farther, farther !== null);
  if (farther !== null)
    return {
      id: farther,
      name: details?.name ?? `Account ${farther}`,
      role: 'owner',
      closed: details !== null && details.closed_at !== null,
    };
  const { accounts } = session;
  return accounts.find((account) => String(account.id) === asked) ?? accounts[0] ?? null;
}

/** Whether the person may see what needs this role in the account of the page. */
export function useHasRole(role: Role): boolean {
  const account = useAccount();
  return account !== null && hasRole(account.role, role);
}

/** The person as the menu sees them, in the account of the page. */
export function useViewer(): Viewer {
  const isOperator = useSession().user.is_operator;
  const role = useAccount()?.role ?? null;
  return useMemo(() => ({ isOperator, role }), [isOperator, role]);
}

/** Whether the person may do what needs this role in the page's account. A closed one cannot be changed. */
export function useMay(role: Role): boolean {
  const isClosed = useIsClosed();
  return useHasRole(role) && !isClosed;
}

/** Whether the page's account is closed: it can be read, but not changed. */
export function useIsClosed(): boolean {
  // The session knows it immediately.
  const isKnown = useAccount()?.closed === true;
  return useClosedAt() !== null || isKnown;
}

/** When the page's account was closed; null if it is open, or there is none. */
export function useClosedAt(): string | null {
  const hasAccount = useAccount() !== null;
  return useDetails(useAccountId(), hasAccount)?.closed_at ?? null;
}

/** Of an account, or of the page's if `id` is null; null until they are loaded, and if they are not `wanted`. */
function useDetails(id: number | null, wanted: boolean): Answer<'readAccount'>['data'] | null {
  const input = id === null ? {} : { query: { account: String(id) } };
  const { data } = useQuery<Answer<'readAccount'>, ApiError>({
    // The same query as the pages', so that it is fetched once, and updated with theirs.
    queryKey: ['account', 'readAccount', input],
    queryFn: ({ signal }) => call('readAccount', input, { signal }),
    staleTime: 60_000,
    enabled: wanted,
  });
  return data?.data ?? null;
}

/** The value of `?account=`, unless it is the default account: then, and outside the shell, null. */
export function useAccountId(): number | null {
  const { data } = useSessionQuery();
  const asked = new URLSearchParams(useSearch()).get('account');
  const farther = data === undefined ? null : fartherAccount(data, asked);
  if (farther !== null) return farther;
  const found = data?.accounts.find((account) => String(account.id) === asked);
  return found === undefined || found === data?.accounts[0] ? null : found.id;
}
