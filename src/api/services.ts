/** What the control plane asks of the program around it. */
import type { KeyRegistry } from '../accounts/key-registry.ts';
import type { Project } from '../accounts/ports.ts';
import type { ScopeRegistry } from '../accounts/scope-registry.ts';
import type { Bank } from '../billing/bank.ts';
import type { LedgerMaintenance } from '../billing/maintenance-ports.ts';
import type { LedgerStore } from '../billing/ports.ts';
import type { Catalog } from '../catalog/model.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Clock } from '../core/clock.ts';
import type { KeyKeeper } from '../credentials/key-keeper.ts';
import type { NewAuditEntry } from '../members/ports.ts';
import type { TestConnection } from '../probe/test-connection.ts';
import type { Recorder } from '../stats/recorder.ts';
import type { healthOf } from './management/providers/describe-health.ts';

export interface ControlServices {
  readonly version: string;
  readonly clock: Clock;
  readonly keys: Pick<
    KeyRegistry,
    'create' | 'update' | 'rotate' | 'revoke' | 'revokeMadeBy' | 'withLists' | 'list' | 'newestFirst' | 'scopes'
  >;
  projects(): Promise<readonly Project[]>;
  readonly scopes: Pick<ScopeRegistry, 'accounts' | 'projects' | 'createProject' | 'updateProject' | 'updateAccount'>;
  /** The names of what routes do, for permissions: `chat`. */
  readonly operations: readonly string[];
  readonly bank: Pick<Bank, 'mode' | 'balanceOf' | 'post' | 'spent' | 'heldBy'>;
  readonly ledger: Pick<LedgerStore, 'entry' | 'entries' | 'chargeOf'>;
  readonly books: LedgerMaintenance;
  readonly catalog: Pick<Catalog, 'all'>;
  readonly providers: Pick<ProviderRegistry, 'list' | 'callable'>;
  readonly keyKeeper: Pick<KeyKeeper, 'check' | 'rotate'>;
  readonly records: Pick<Recorder, 'tail' | 'since' | 'follow'>;
  /** How calls to a provider have gone; null where none of that name is called. */
  healthOf(provider: string): ReturnType<typeof healthOf>;
  /** The address of the proxy an origin is reached through, never with its password; null where it is connected to directly. */
  proxyOf(origin: string): string | null;
  readonly testConnection: TestConnection;
  /** Writes the audit log. To be awaited before the answer: a change that cannot be told is an error. */
  audit(change: Pick<NewAuditEntry, 'action' | 'subject' | 'accountId' | 'before' | 'after'>): Promise<void>;
  status(): ServerStatus;
}

export interface ServerStatus {
  /** Why it is not ready, in words; empty when it is. */
  readonly reasons: readonly string[];
  /** Where callers reach it, like `http://127.0.0.1:8080`; null when it does not listen (a command run without a server). */
  readonly address: string | null;
  /** Calls running now. */
  readonly inFlight: number;
  /** What their bodies have of the memory, and may have; bytes. */
  readonly memory: { readonly used: number; readonly bytesMax: number };
  /** The file that its configuration was read from, and the SHA-256 of what was read; null where there was none. */
  readonly configSource: { readonly path: string; readonly digest: string } | null;
}
