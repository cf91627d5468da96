/** Opens the stored answers for retried requests, and deletes expired ones every hour. */
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import { ReplayRegistry } from '../../replay/replay-registry.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Sealing } from '../open-sealing.ts';
import { deleteHourly } from './delete-hourly.ts';

/** A call that is this much older than the longest allowed call is no longer running. */
const AFTER_LONGEST_CALL_MS = 5 * 60_000;

export interface ReplayParts {
  readonly storage: Storage;
  readonly sealing: Sealing;
  readonly scopes: ScopeMirror;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'alert'>;
}

export async function openReplays(
  config: Config,
  parts: ReplayParts,
  closing: AsyncDisposableStack,
): Promise<ReplayRegistry> {
  const { storage, sealing, scopes, clock, log, metrics } = parts;
  const { bytesMax } = config.idempotency;
  const replays = new ReplayRegistry({
    sealingKey: sealing.activeKey,
    olderSealingKeys: sealing.olderKeys,
    store: storage.ledger,
    lines: storage.lineAnswers,
    clock,
    scopes,
    bytesMax,
    onFull: () => {
      metrics.alert('replays_over_limit');
      log.error({ bytesMax }, 'replays_over_limit');
    },
    runningMsMax: config.timeouts.totalMs + AFTER_LONGEST_CALL_MS,
    claims: storage.shared?.claims ?? null,
  });
  storage.nodes?.onPlaceTaken(() => replays.claimAgain(clock.now()));
  // A command retries no requests.
  if (storage.visitor === null) await replays.load(clock.now());
  deleteHourly(parts, (nowMs) => replays.deleteExpired(nowMs), 'replays_not_deleted', closing);
  return replays;
}
