/**
 * Turnpike without its storage: the bank holds and charges in memory, its store accepts every row and
 * keeps none, and records are dropped. The difference to the real program is what the ledger costs.
 *
 * With `--wait none` a row counts as written immediately. With `--wait turn` it does with the others of its turn of the event loop,
 * as with the real ledger: all their answers then go out together, which by itself makes calls cheaper.
 */
import { parseArgs } from 'node:util';
import { openApp } from '../src/app/app.ts';
import type { Gateway } from '../src/app/build-gateway.ts';
import { LedgerBank } from '../src/billing/ledger-bank.ts';
import { MemoryLedger } from '../src/billing/memory-ledger.ts';
import type { LedgerRow, LoadedLedger } from '../src/billing/ports.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { Batch } from '../src/core/batch.ts';
import { systemClock } from '../src/core/clock.ts';
import { parseUsd } from '../src/core/money.ts';
import type { RecordStore } from '../src/stats/ports.ts';

class ForgetfulLedger extends MemoryLedger {
  override commit(): Promise<void> {
    return WRITTEN;
  }
}

class PatientLedger extends MemoryLedger {
  readonly #batch = new Batch<readonly LedgerRow[]>(() => undefined);

  override commit(rows: readonly LedgerRow[]): Promise<void> {
    return this.#batch.add(rows);
  }
}

class DroppedRecords implements RecordStore {
  append(): void {
    // Nothing is kept here, on purpose.
  }

  waiting() {
    return null;
  }

  async tail() {
    return [];
  }

  async drain(): Promise<void> {
    // Nothing waits to be written.
  }
}

const WRITTEN = Promise.resolve();

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { data: text, config: text, port: text, wait: text } });
const flags = { data: values.data ?? '', config: values.config ?? '', port: values.port ?? '' };
const { config } = loadConfig({ flags, environment: process.env, cwd: process.cwd() });
const app = await openApp(config);
const replaced: Pick<Gateway, 'bank' | 'records'> = {
  bank: new LedgerBank({
    store: values.wait === 'turn' ? new PatientLedger(Date.now()) : new ForgetfulLedger(Date.now()),
    loaded: richLedger(),
    mode: config.billing.mode,
    clock: systemClock,
    isWritable: () => true,
  }),
  records: new DroppedRecords(),
};
Object.assign(app.gateway, replaced);
await app.listen();
process.once('SIGTERM', () => void app.close());

/** Every account of the folder has the money of a first run. */
function richLedger(): LoadedLedger {
  const credit = parseUsd('1000000');
  const totals = { balance: credit, credited: credit, charged: parseUsd('0') };
  return {
    balances: new Map(app.gateway.scopes.accounts().map(({ id }) => [id, totals])),
    lastEntry: null,
    spent: { keys: new Map(), projects: new Map(), accounts: new Map() },
  };
}
