/** What one of several nodes shares with the others, read on each scrape. */
import { Gauge, type Registry } from 'prom-client';

export interface NodeFigures {
  /** The age of the newest state of the database that memory is known to agree with. */
  readonly feedLagMs: number;
  /** Settlements in the journal that the database does not have. */
  readonly unsentCalls: number;
  /** How long ago the oldest of them was admitted; 0 without any. */
  readonly unsentMs: number;
  /** What this node was lent of balances and has not spent, nano-USD. */
  readonly lentNano: bigint;
  readonly liveNodes: number;
  /** Whether the node may spend what it was lent. */
  readonly maySpend: boolean;
}

const GAUGES: Readonly<Record<string, readonly [help: string, read: (node: NodeFigures) => number]>> = {
  key_feed_lag_seconds: [
    'How old the state of the database is that keys, accounts and providers in memory agree with.',
    ({ feedLagMs }) => feedLagMs / 1000,
  ],
  unsent_settlements: ['Settlements in the journal that the database does not have.', ({ unsentCalls }) => unsentCalls],
  unsent_settlements_age_seconds: [
    'How long ago the oldest of them was admitted; 0 without any.',
    ({ unsentMs }) => unsentMs / 1000,
  ],
  lent_usd: [
    'What this node was lent of balances and has not spent.',
    ({ lentNano }) => Number(lentNano) / 1_000_000_000,
  ],
  live_nodes: ['Nodes that serve this installation.', ({ liveNodes }) => liveNodes],
  node_may_spend: [
    '1 if the node may spend what it was lent, 0 if it was away from the database for too long.',
    ({ maySpend }) => (maySpend ? 1 : 0),
  ],
};

export function nodeGauges(read: () => NodeFigures, registers: Registry[]): void {
  for (const [name, [help, value]] of Object.entries(GAUGES)) {
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
