/**
 * Opens what several nodes exchange besides money: through Valkey if there is one, otherwise through the database. No call waits for it, and
 * without it a node goes on alone.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Secret } from '../../core/secret.ts';
import { CountSharing } from '../../limits/sharing/count-sharing.ts';
import type { WayChange } from '../../limits/sharing/first-working.ts';
import { SharedLimits } from '../../limits/sharing/shared-limits.ts';
import { Notices } from '../../nodes/notices/notices.ts';
import type { Storage } from '../../storage/storage.ts';
import { ForeignValue, Valkey } from '../../storage/valkey/valkey.ts';
import { ValkeyCounts } from '../../storage/valkey/valkey-counts.ts';
import { ValkeyNotices } from '../../storage/valkey/valkey-notices.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { deleteHourly } from '../stored/delete-hourly.ts';
import { nodeAdvice } from './node-advice.ts';
import { type AdviceParts, shareAdvice } from './share-advice.ts';
import { type RefusalParts, shareRefusals } from './share-refusals.ts';

export interface SharedParts {
  readonly storage: Pick<Storage, 'shared' | 'secrets'>;
  /** With the time that all nodes share. */
  readonly clock: Clock;
  /** How many nodes are live. */
  readonly liveNodes: () => number;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'alert'>;
}

export interface OpenShared {
  /** For the limiter. */
  readonly limits: SharedLimits;
  /** Turns what callers call their conversations into digests; the same on all nodes. */
  readonly conversationSecret: Buffer;
  /** Shares what providers have shown; before `start`. */
  share(parts: Pick<AdviceParts, 'breakers' | 'sticky' | 'providers'>): void;
  /** Shares why requests were refused; before `start`. */
  shareRefusals(refusals: RefusalParts['refusals']): void;
  /** Resolves after the first exchange, whatever came of it. */
  start(): Promise<void>;
}

/** Failures that no attempt to sign in was added to for so long do not matter. */
const ATTEMPT_KEPT_MS = 60 * 60_000;

/** Null for a storage of one process. */
export async function openShared(
  { valkey: { url } }: Pick<Config, 'valkey'>,
  parts: SharedParts,
  closing: AsyncDisposableStack,
): Promise<OpenShared | null> {
  const { storage, clock, liveNodes, log, metrics } = parts;
  if (storage.shared === null) return null;
  const { counts, attempts, notices: board } = storage.shared;
  const valkey = url === null ? null : await Valkey.open({ url, name: installationName(storage.secrets.pepper) });
  closing.defer(() => valkey?.close());
  const limits = new SharedLimits({ clock, nodes: liveNodes });
  const sender = randomBytes(8).toString('hex');
  const onChange = (change: WayChange) => report(change, log, metrics);
  const sharing = new CountSharing({
    limits,
    exchanges: valkey === null ? [counts] : [new ValkeyCounts(valkey), counts],
    settled: counts,
    clock,
    counter: sender,
    onChange,
  });
  closing.defer(() => sharing.close());
  // What is wrong with an exchange is reported once, by the counts; what is wrong with the notices alone, here.
  const onNotices = (change: WayChange) => {
    if (change.cause instanceof ForeignValue) onChange(change);
  };
  const boards = valkey === null ? [board] : [new ValkeyNotices(valkey), board];
  const notices = new Notices({ boards, clock, sender, onChange: onNotices });
  closing.defer(() => notices.close());
  const deleteAttempts = (nowMs: number) => attempts.deleteForgotten(nowMs - ATTEMPT_KEPT_MS);
  deleteHourly({ clock, log }, deleteAttempts, 'attempts_not_deleted', closing);
  return {
    limits,
    conversationSecret: digestOf(storage.secrets.pepper, 'turnpike conversations'),
    share: (shared) => shareAdvice({ ...shared, notices, clock }),
    shareRefusals: (refusals) => shareRefusals({ notices, refusals }),
    async start() {
      await sharing.start();
      notices.start();
    },
  };
}

/** The same on all nodes, and another one for every installation; says nothing about the pepper. */
function installationName(pepper: Secret): string {
  return digestOf(pepper, 'turnpike valkey').toString('hex').slice(0, 16);
}

function digestOf(pepper: Secret, purpose: string): Buffer {
  return createHmac('sha256', pepper.reveal()).update(purpose).digest();
}

function report({ way, state, cause }: WayChange, log: Log, metrics: SharedParts['metrics']): void {
  if (state === 'good') {
    log.info({ exchange: way }, 'counts_exchanged_again');
    return;
  }
  metrics.alert('counts_not_exchanged');
  const words = cause instanceof Error ? cause.message : null;
  log.warn({ exchange: way, cause: words, ...nodeAdvice('counts_not_exchanged') }, 'counts_not_exchanged');
}
