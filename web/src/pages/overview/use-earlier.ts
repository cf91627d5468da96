/** Whether a period can be compared with the one before it. */
import { useApi } from '../../api/use-api.ts';

const STALE_MS = 300_000;

/**
 * A period is compared with the one of the same length before it. If that one began before the account's first call, it is
 * incomplete and not compared. False until it is known.
 */
export function useHasEarlier({ from, to }: { readonly from: string; readonly to: string }): boolean {
  const first = useApi('readChecklist', {}, { staleTime: STALE_MS }).data?.data.first_call;
  return first != null && hasEarlier(from, to, first.at);
}

export function hasEarlier(from: string, to: string, firstCallAt: string): boolean {
  const begin = 2 * Date.parse(from) - Date.parse(to);
  return begin >= Date.parse(firstCallAt);
}
