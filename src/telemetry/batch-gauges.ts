/** What the batches that this node runs are doing, read on each scrape. */
import { Gauge, type Registry } from 'prom-client';

export interface BatchFigures {
  /** Batches that have not ended, by status. */
  readonly open: ReadonlyMap<string, number>;
  /** Lines that are being called. */
  readonly running: number;
  /** Lines that have to be called again. */
  readonly waiting: number;
}

const LINES: Readonly<Record<string, readonly [help: string, read: (batches: BatchFigures) => number]>> = {
  batch_lines_running: ['Lines of batches that are being called.', ({ running }) => running],
  batch_lines_waiting: [
    'Lines of batches that have to be called again, as after a rate limit of their provider.',
    ({ waiting }) => waiting,
  ],
};

/** `statuses`: those of a batch that has not ended; each is shown, if only as 0. */
export function batchGauges(read: () => BatchFigures, statuses: readonly string[], registers: Registry[]): void {
  new Gauge({
    name: 'turnpike_batches_open',
    help: 'Batches that this node runs, by status.',
    labelNames: ['status'],
    registers,
    collect() {
      const { open } = read();
      for (const status of statuses) this.set({ status }, open.get(status) ?? 0);
    },
  });
  for (const [name, [help, value]] of Object.entries(LINES)) {
    new Gauge({
      name: `turnpike_${name}`,
      help,
      registers,
      collect() {
        this.set(value(read()));
      },
    });
  }
}
