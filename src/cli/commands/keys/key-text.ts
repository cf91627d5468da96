/** Text about keys that several commands print. */
import type { CommandContext } from '../../command.ts';
import { shownText } from '../../output.ts';
import { limitsText } from '../limit-flags.ts';
import type { KeyRow, PredecessorRow } from './key-row.ts';

/** A line for each earlier secret that a change or revocation also applies to. */
export function predecessorsText(predecessors: readonly PredecessorRow[]): string[] {
  return predecessors.map(
    ({ id, label, status }) => `This also applies to its earlier secret, key ${id} (${label}), ${status}.`,
  );
}

/** The most ids listed in the sentence. */
const NAMESAKES_SHOWN_MAX = 5;

/** Several keys may have the same name; commands then need an id. */
export function noteNamesakes({ terminal }: CommandContext, { id, name }: KeyRow, others: readonly number[]): void {
  if (others.length === 0) return;
  const shown = `${others.slice(0, NAMESAKES_SHOWN_MAX).join(', ')}${others.length > NAMESAKES_SHOWN_MAX ? ', …' : ''}`;
  const has = others.length === 1 ? `Key ${shown} has` : `Keys ${shown} have`;
  terminal.note(
    `${has} the same name, "${shownText(name)}"; use id ${id} in commands, or rename one with keys update.`,
  );
}

/** Its limits and permissions, for how many seconds equal requests are answered again, and which pages may use it; `-` if there is nothing. */
export function keyLimitsText(key: Pick<KeyRow, 'limits' | 'permissions' | 'cache_seconds' | 'origins'>): string {
  const limits = limitsText(key);
  const parts = [
    ...(limits === '-' ? [] : [limits]),
    ...(key.cache_seconds === null ? [] : [`cache ${key.cache_seconds} s`]),
    ...(key.origins === null ? [] : [`pages of ${key.origins.join(' ')}`]),
  ];
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** Its expiry or the end of its grace, whichever is earlier. */
export function endOf({
  expires_at: expires,
  retiring_at: retiring,
}: Pick<KeyRow, 'expires_at' | 'retiring_at'>): string | null {
  if (expires === null || retiring === null) return expires ?? retiring;
  return expires < retiring ? expires : retiring;
}
