/** Opens the batches of callers, runs them, and deletes every hour those that ended long ago. */
import { randomUUID } from 'node:crypto';
import { BatchRunner, type RunnerParts } from '../../batches/batch-runner.ts';
import { CallersBatches } from '../../batches/callers-batches.ts';
import type { CallLine } from '../../batches/runner-ports.ts';
import type { CallersFiles } from '../../files/callers-files.ts';
import type { RunningCalls } from '../../gateway/capacity/running-calls.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { LiveConfig } from '../reload.ts';
import { deleteHourly, type HourlyParts } from './delete-hourly.ts';

export interface BatchesParts extends HourlyParts, Pick<RunnerParts, 'clock' | 'answers'> {
  readonly storage: Pick<Storage, 'batches' | 'files'>;
  readonly files: CallersFiles;
  readonly live: LiveConfig;
  readonly metrics: Pick<Metrics, 'showBatches' | 'batchLine'>;
  readonly running: Pick<RunningCalls, 'draining' | 'waiting' | 'count' | 'max'>;
}

export interface OpenBatches {
  readonly batches: CallersBatches;
  /** Call it when a batch is to be cancelled. */
  readonly onChange: () => void;
  /** Begins to run them. `call` makes the call for a line. */
  run(call: CallLine): BatchRunner;
}

/** Batches that have ended are shown for as long. */
const SHOWN_MS = 90 * 86_400_000;
/** What a line has besides its body. */
const AROUND_BODY_BYTES = 64 * 1024;

export function openBatches(parts: BatchesParts, closing: AsyncDisposableStack): OpenBatches {
  const { storage, files, clock, log, live, metrics, running, answers } = parts;
  let runner: BatchRunner | null = null;
  const onChange = () => void runner?.poke();
  const batches = new CallersBatches({ store: storage.batches, files, clock, onChange });
  deleteHourly(
    { clock, log },
    (nowMs) => storage.batches.deleteEnded(nowMs - SHOWN_MS),
    'batches_not_deleted',
    closing,
  );
  // After the server, which ends what still runs.
  closing.defer(() => runner?.close());
  return {
    batches,
    onChange,
    run(call) {
      runner = new BatchRunner({
        store: storage.batches,
        files: storage.files,
        contents: files.contents,
        answers,
        call,
        clock,
        owner: randomUUID(),
        limits: () => ({
          ...live.config.batches,
          ...live.config.limits,
          lineBytesMax: live.config.limits.bodyBytesMax + AROUND_BODY_BYTES,
        }),
        // Batches take what is left: half of the places are for callers.
        mayBegin: () => !running.draining && running.waiting === 0 && running.count < running.max / 2,
        onLine: (outcome) => metrics.batchLine(outcome),
        log,
      });
      const begun = runner;
      metrics.showBatches(() => begun.figures());
      begun.start();
      return begun;
    },
  };
}
