/** What a node says of its configuration, so that an operator learns where nodes of one database differ. Without secrets, and short. */
import { createHash } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { NodeSettings } from '../../nodes/ports.ts';

export type SharedConfig = Pick<
  Config,
  | 'billing'
  | 'durability'
  | 'nodes'
  | 'records'
  | 'capture'
  | 'idempotency'
  | 'dashboard'
  | 'timeouts'
  | 'providers'
  | 'aliases'
>;

/**
 * `billing.mode` has to be the same at all nodes, and a node with another one is refused. The others may differ for a while, or on purpose: what calls
 * are charged, which models there are, how long things are kept, what a settled call survives.
 */
export function nodeSettings(config: SharedConfig): NodeSettings {
  const { billing, durability, nodes, records, capture, idempotency, dashboard, timeouts, providers, aliases } = config;
  return {
    'billing.mode': billing.mode,
    'billing.markup': String(billing.markup),
    'billing.modelMarkups': shortOf(billing.modelMarkups),
    'billing.ownCredentialFee': String(billing.ownCredentialFee),
    durability: durability,
    'nodes.staleMaxMs': String(nodes.staleMaxMs),
    'records.bytesMax': String(records.bytesMax),
    'capture.bytesMax': String(capture.bytesMax),
    'idempotency.bytesMax': String(idempotency.bytesMax),
    'timeouts.totalMs': String(timeouts.totalMs),
    'dashboard.signUp': dashboard.signUp,
    providers: shortOf(providers),
    aliases: shortOf(aliases),
  };
}

/** Options of which a digest is enough to see that they differ. */
export const DIGESTS: ReadonlySet<string> = new Set(['billing.modelMarkups', 'providers', 'aliases']);

/** Secrets are written as `[secret]`, so that another credential is no difference, and nothing is learnt of one. */
function shortOf(list: readonly object[]): string {
  if (list.length === 0) return 'none';
  return createHash('sha256').update(JSON.stringify(list, withBigInts)).digest('hex').slice(0, 12);
}

function withBigInts(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
