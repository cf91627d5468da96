/** What a process has besides the database: one that takes calls is a node with a journal, and a command is neither. */
import { hostname } from 'node:os';
import { assert } from '../../core/assert.ts';
import type { Clock } from '../../core/clock.ts';
import type { NodeSettings, NodeStorage, VisitorBank } from '../../nodes/ports.ts';
import type { Journal } from '../journal/journal.ts';
import { openNodeStorage } from '../journal/node-storage.ts';
import { openJournal } from '../journal/open-journal.ts';
import type { SharedStores, Storage, StorageOptions } from '../storage.ts';
import type { PostgresBank } from './bank/postgres-bank.ts';
import type { PostgresConnections } from './engine/connections.ts';
import { openSharedStores } from './exchange/open-shared.ts';
import { readHistory } from './ledger/history.ts';
import type { PostgresLedgerParts } from './ledger/postgres-ledger.ts';
import { refusesSettlements } from './ledger/refused-settlements.ts';
import type { RecordingNode } from './stored-calls.ts';

export interface ProcessPart {
  readonly nodes: NodeStorage | null;
  readonly visitor: VisitorBank | null;
  readonly shared: SharedStores | null;
  readonly journal: PostgresLedgerParts['journal'];
  readonly recording: RecordingNode | null;
  readonly health: Storage['health'];
  close(): Promise<void>;
}

export interface ProcessParts extends Pick<StorageOptions, 'folder' | 'durability' | 'onProblem'> {
  readonly clock: Clock;
  readonly bank: PostgresBank;
  readonly connections: PostgresConnections;
  /** What operators call the node; null for the name of its machine. */
  readonly nodeName: string | null;
  readonly version: string;
  /** How the node is configured. */
  readonly settings: NodeSettings;
  /** What identifies the installation of the database. */
  readonly installation: string;
}

/** Opens the journal, registers the node, and settles what its last run left. Registers what it opens with `closing`. */
export async function openNodePart(parts: ProcessParts, closing: AsyncDisposableStack): Promise<ProcessPart> {
  const { folder, clock, durability, onProblem, bank, connections, nodeName, version, settings, installation } = parts;
  const journal: Journal = await openJournal({ folder, clock, durability, installation, onProblem });
  closing.defer(() => journal.close());
  const nodes = await openNodeStorage({
    journal,
    bank,
    clock,
    name: nodeName ?? hostname(),
    version,
    settings,
    history: () => readHistory(connections.control),
    isRefusal: refusesSettlements,
    onProblem,
  });
  closing.defer(() => nodes.close());
  return {
    nodes,
    visitor: null,
    shared: openSharedStores(connections, () => nodes.place, clock),
    journal,
    recording: { id: journal.id, slot: () => nodes.place.slot, recovered: journal.recovered },
    health: () => journal.state(),
    async close() {
      nodes.close();
      await journal.close();
    },
  };
}

/** Nothing is registered, lent or written to the data folder. */
export function visitorPart({ bank }: Pick<ProcessParts, 'bank'>): ProcessPart {
  return {
    nodes: null,
    visitor: bank,
    shared: null,
    journal: {
      recovered: 0,
      async commit() {
        assert(false, 'a command settles no calls');
      },
      // It has no settlements.
      forwardAll: async () => true,
    },
    recording: null,
    health: () => 'ready',
    close: async () => undefined,
  };
}
