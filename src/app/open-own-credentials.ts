/** Opens the credentials that accounts and projects bring themselves, and deletes replaced secrets when their overlap is over. */
import { OwnCredentialRegistry } from '../byok/own-credential-registry.ts';
import type { Clock } from '../core/clock.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import type { Outside } from '../providers/outside.ts';
import type { Storage } from '../storage/storage.ts';
import type { Log } from '../telemetry/log.ts';
import type { EgressPolicy } from '../upstream/egress-policy.ts';

export interface OwnCredentialsAround {
  readonly storage: Pick<Storage, 'ownCredentials' | 'feed'>;
  readonly sealer: Sealer;
  readonly outside: Outside;
  readonly egress: EgressPolicy;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

const SWEEP_EVERY_MS = 60_000;

export async function openOwnCredentials(
  { storage, sealer, outside, egress, clock, log }: OwnCredentialsAround,
  closing: AsyncDisposableStack,
): Promise<OwnCredentialRegistry> {
  const own = await OwnCredentialRegistry.open({
    store: storage.ownCredentials,
    feed: storage.feed,
    sealer,
    outside,
    clock,
    complaintAbout: (origin) => egress.complaintAbout(origin),
  });
  const sweep = () =>
    own
      .forgetPrevious()
      .catch((error: Error) => log.warn({ cause: error.message }, 'replaced_own_credentials_not_deleted'));
  await sweep();
  const sweeping = clock.every(SWEEP_EVERY_MS, sweep);
  closing.defer(() => sweeping.cancel());
  return own;
}
