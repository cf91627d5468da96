/** What is said of a batch's lines. */
import type { AccountBatch } from '../../api/types.ts';
import { formatCount } from '../../format/figures.ts';

/** Codes that lines mostly wait for; others stay as they are. */
const REASONS: Readonly<Record<string, string>> = {
  rate_limit_exceeded: 'a limit here',
  upstream_rate_limited: "the provider's rate limit",
  overloaded: 'a gateway that is busy',
  draining: 'a gateway that shuts down',
  balance_reserved: 'a balance held by other calls',
  ledger_unavailable: 'the database',
  idempotency_in_flight: 'another node',
};

/** `3 lines wait for the provider's rate limit`; null if none waits. */
export function waitingWords({
  waiting,
  waiting_for: code,
}: Pick<AccountBatch, 'waiting' | 'waiting_for'>): string | null {
  if (waiting === 0) return null;
  const lines = waiting === 1 ? '1 line waits' : `${formatCount(waiting)} lines wait`;
  return code === null ? lines : `${lines} for ${REASONS[code] ?? code}`;
}
