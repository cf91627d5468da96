/** Labels for keys, and which actions a key allows. */
import { useMay, useSession } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { formatDate } from '../../format/figures.ts';

const DAY_MS = 86_400_000;

/** Known only to the UTC day: `today`, `yesterday`, `21 Nov 2026`. */
export function formatLastUsed(at: string | null, nowMs: number): string {
  if (at === null) return 'never';
  const days = Math.floor(nowMs / DAY_MS) - Math.floor(Date.parse(at) / DAY_MS);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  // Noon, so that the browser's time zone does not shift the day.
  return days < 30 ? `${days} d ago` : formatDate(Date.parse(at) + DAY_MS / 2);
}

/** By `limit_reset`: which budget the limit is. */
export const RESET_WORDS = { daily: 'per day', weekly: 'per week', monthly: 'per month' } as const;

/** Whether a key can still be changed, rotated and disabled; a revoked one cannot. */
export function isOver(key: Key): boolean {
  return key.revoked_at !== null;
}

/** For a change that also applies to the earlier secrets of a rotated key; starts with a space. */
export function earlierWords({ length }: { readonly length: number }): string {
  if (length === 0) return '';
  return length === 1
    ? ' This also applies to its earlier secret.'
    : ` This also applies to its ${length} earlier secrets.`;
}

/** Admins may change every key, developers the inference keys they created. */
export function useMayChange(): (key: Key) => boolean {
  const isAdmin = useMay('admin');
  const isDeveloper = useMay('developer');
  const { user } = useSession();
  return (key) => isAdmin || (isDeveloper && key.kind === 'inference' && key.creator_user_id === `user:${user.id}`);
}
