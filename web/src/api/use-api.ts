/** The management API in components: answers are cached and refetched by react-query. */
import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { takesAccount } from './account-routes.ts';
import { type Answer, type ApiError, addressOf, call, type Input, takesIdempotencyKey } from './client.ts';
import { idempotencyKeys } from './idempotency-key.ts';
import { useAccountId } from './session.ts';
import { singleFlight } from './single-flight.ts';
import { type RouteName, routes } from './types.ts';

export interface ApiOptions {
  /** False fetches nothing yet. */
  readonly enabled?: boolean;
  /** Milliseconds between one answer and the next request. */
  readonly refetchInterval?: number | false;
  /** How long an answer counts as fresh. */
  readonly staleTime?: number;
  /** Shows the previous answer while the next one is loading: for ranges and filters. */
  readonly keepPrevious?: boolean;
}

/** What a route answers. The page's account is sent if the route takes one. */
export function useApi<Name extends RouteName>(
  name: Name,
  input: Input<Name>,
  options: ApiOptions = {},
): UseQueryResult<Answer<Name>, ApiError> {
  const whole = useWithAccount(name)(input);
  return useQuery<Answer<Name>, ApiError>({
    queryKey: queryKey(name, whole),
    queryFn: ({ signal }) => call(name, whole, { signal }),
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchInterval ?? false,
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
}

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}
type Paged = { [Name in RouteName]: Answer<Name> extends Page ? Name : never }[RouteName];
export type Row<Name extends Paged> = Answer<Name>['data'][number];

export type Pages<Name extends Paged> = UseInfiniteQueryResult<readonly Answer<Name>[], ApiError> & {
  readonly rows: readonly Row<Name>[];
};

/** A route that answers page by page: `rows` are those of all pages so far, `fetchNextPage` loads more. */
export function usePages<Name extends Paged>(name: Name, input: Input<Name>, options: ApiOptions = {}): Pages<Name> {
  const whole = useWithAccount(name)(input);
  const result = useInfiniteQuery<Answer<Name>, ApiError, readonly Answer<Name>[], readonly unknown[], string | null>({
    queryKey: [...queryKey(name, whole), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...whole, query: { ...queryOf(whole), cursor: pageParam ?? undefined } } as Input<Name>, { signal }),
    initialPageParam: null,
    getNextPageParam: (last) => last.next_cursor,
    select: (data) => data.pages,
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchInterval ?? false,
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
  const pages: readonly Page[] = result.data ?? [];
  const rows = pages.flatMap((page) => page.data) as readonly Row<Name>[];
  return { ...result, rows } as unknown as Pages<Name>;
}

/** What else must be refetched when something of a noun changed; the noun itself always is. */
const TOUCHES: Readonly<Record<string, readonly string[]>> = {
  keys: ['projects', 'checklist', 'audit'],
  projects: ['keys', 'audit'],
  members: ['session', 'keys', 'audit'],
  invitations: ['checklist', 'audit'],
  balance: ['ledger', 'calls', 'accounts', 'audit'],
  account: ['accounts', 'session', 'keys', 'calls', 'audit'],
  accounts: ['account', 'session', 'audit'],
  people: ['session', 'members', 'keys', 'invitations', 'audit'],
  byok: ['audit'],
  aliases: ['audit'],
  'installation-aliases': ['aliases', 'audit'],
  providers: ['catalog', 'checklist', 'audit', 'failing-models'],
  profile: ['session'],
  calls: ['audit'],
  'account-batches': ['audit'],
};

/**
 * A change: `const create = useChange('createKey')`, then `create.mutate({body})` or `await create.mutateAsync({body})`,
 * which throws `ApiError`. What it changed is refetched. While it runs, requesting the same again
 * does not start a second one.
 */
export function useChange<Name extends RouteName>(name: Name): UseMutationResult<Answer<Name>, ApiError, Input<Name>> {
  const queryClient = useQueryClient();
  const withAccount = useWithAccount(name);
  const [flight] = useState(() => singleFlight<Answer<Name>>());
  const [keys] = useState(() => idempotencyKeys());
  const isCreation = takesIdempotencyKey(name);
  const change = useMutation<Answer<Name>, ApiError, Input<Name>>({
    mutationFn: async (input) => {
      const whole = withAccount(input);
      return call(name, whole, isCreation ? { idempotencyKey: keys.for(whole) } : {});
    },
    onSuccess: () => {
      keys.forget();
      const noun = nounOf(name);
      const nouns = new Set([noun, ...(TOUCHES[noun] ?? [])]);
      // Not awaited: the caller learns of the change immediately, and the lists follow.
      void queryClient.invalidateQueries({ predicate: (query) => nouns.has(String(query.queryKey[0])) });
    },
  });
  const start = change.mutateAsync;
  const mutateAsync = useCallback(
    // One creation runs at a time, whatever was changed in the form meanwhile: the first answer may contain a secret.
    (...given: Parameters<typeof start>) =>
      flight.run(isCreation ? '' : JSON.stringify(given[0] ?? {}), () => start(...given)),
    [flight, start, isCreation],
  );
  const mutate = useCallback(
    // The error is in `error`.
    (...given: Parameters<typeof start>) => void mutateAsync(...given).catch(() => undefined),
    [mutateAsync],
  );
  const dismiss = change.reset;
  const reset = useCallback(() => {
    // A creation continues after its component is gone: a second one must still wait for it.
    if (!isCreation) flight.forget();
    dismiss();
  }, [flight, dismiss, isCreation]);
  return { ...change, mutate, mutateAsync, reset } as UseMutationResult<Answer<Name>, ApiError, Input<Name>>;
}

/** The address of a download or a stream, with the page's account. */
export function useAddress<Name extends RouteName>(name: Name): (input: Input<Name>) => string {
  const withAccount = useWithAccount(name);
  return (input) => addressOf(name, withAccount(input));
}

/** The first part of a route's path: `keys` of `/keys/:key/limits`. Answers are cached and dropped by it. */
export function nounOf(name: RouteName): string {
  return routes[name][1].split('/')[1] ?? '';
}

export function queryKey(name: RouteName, input: unknown): readonly unknown[] {
  return [nounOf(name), name, input];
}

function useWithAccount<Name extends RouteName>(name: Name): (input: Input<Name>) => Input<Name> {
  const account = useAccountId();
  return (input) => {
    if (account === null || !takesAccount(name)) return input;
    return { ...input, query: { ...queryOf(input), account: String(account) } };
  };
}

function queryOf(input: unknown): Readonly<Record<string, unknown>> {
  const { query } = input as { query?: Readonly<Record<string, unknown>> };
  return query ?? {};
}
