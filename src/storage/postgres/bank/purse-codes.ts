/** Kinds of purses as rows have them. A number never changes its meaning. */
import type { PurseKind, PurseRef } from '../../../nodes/ports.ts';

export const purseCodes = { balance: 0, key: 1, project: 2, account: 3 } as const satisfies Record<PurseKind, number>;

const KINDS: readonly PurseKind[] = ['balance', 'key', 'project', 'account'];

export function purseOf(code: number, id: number): PurseRef {
  const kind = KINDS[code];
  if (kind === undefined) throw new RangeError(`${code} is not the code of a kind of purse`);
  return { kind, id };
}
