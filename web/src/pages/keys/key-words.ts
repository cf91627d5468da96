/** What a key is and may be done with, in words and answers to yes and no. */
import { useMay, useSession } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { formatDate } from '../../format/figures.ts';

const DAY_MS = 86_400_000;

/** Only the UTC day is known: `today`, `yesterday`, `21 Nov 2026`. */
export function formatLastUsed(at: string | null, nowMs: number): string {
  if (at === null) return 'never';
  const days = Math.floor(nowMs / DAY_MS) - Math.floor(Date.parse(at) / DAY_MS);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  // Noon, so that the zone of the browser does not shift the day.
  return days < 30 ? `${days} d ago` : formatDate(Date.parse(at) + DAY_MS / 2);
}

/** Of `limit_reset`: which budget the limit is. */
export const RESET_WORDS = { daily: 'per day', weekly: 'per week', monthly: 'per month' } as const;

/** Whether a key can still be changed, rotated and disabled; one that is revoked is over. */
export function isOver(key: Key): boolean {
  return key.revoked_at !== null;
}

/** Of a change that holds for the earlier secrets of a rotated key, too; with a space before it. */
export function earlierWords({ length }: { readonly length: number }): string {
  if (length === 0) return '';
  return length === 1 ? ' The same for its earlier secret.' : ` The same for its ${length} earlier secrets.`;
}

/** Admins may change every key, developers the inference keys that they made. */
export function useMayChange(): (key: Key) => boolean {
  const isAdmin = useMay('admin');
  const isDeveloper = useMay('developer');
  const { user } = useSession();
  return (key) => isAdmin || (isDeveloper && key.kind === 'inference' && key.creator_user_id === `user:${user.id}`);
}
