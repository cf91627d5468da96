/** What a closed account gets no more of. */
import { GatewayError } from '../core/errors.ts';
import type { Account } from './ports.ts';

/** Throws `GatewayError` `conflict` for an account that is closed. */
export function checkOpen(account: Pick<Account, 'closedAt' | 'name'>): void {
  if (account.closedAt === null) return;
  throw new GatewayError('conflict', { message: `The account "${account.name}" is closed, for good.` });
}
