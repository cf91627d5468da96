/** The parts of the management API; `app/open-management.ts` creates them once, for all doors. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../core/clock.ts';
import type { GatewayError } from '../../../core/errors.ts';
import type { Transactions } from '../../../core/transactions.ts';
import type { AuditStore } from '../../../members/ports.ts';
import type { ManagementHandlers } from '../index.ts';
import type { AccountParts } from './choose-account.ts';
import type { Creations } from './idempotent.ts';
import type { OwnAddress } from './own-address.ts';
import type { KeyDoor, Sessions } from './who-asks.ts';

export interface Management extends AccountParts {
  readonly clock: Clock;
  readonly handlers: ManagementHandlers;
  readonly sessions: Sessions;
  readonly auditLog: Pick<AuditStore, 'append'>;
  readonly transactions: Transactions;
  readonly creations: Creations;
  readonly address: OwnAddress;
  readonly edge: ManagementEdge;
  /** Whether an error was caused by the disk, the database file or a lock, and not by the request. */
  isStorageTrouble(error: unknown): boolean;
}

/** What the public server does for each of its own routes. */
export interface ManagementEdge {
  readonly keys: KeyDoor;
  /** Throws `GatewayError` for an ambiguous request line or headers. */
  checkHead(request: IncomingMessage): void;
  clientAddress(request: IncomingMessage): string | null;
  /** Writes an error for OpenRouter's clients. */
  writeOpenRouterError(error: GatewayError, requestId: string): string;
  /** Counts an error that is returned; logs it if it is internal. */
  noteError(error: GatewayError, facts: { readonly requestId: string; readonly route: string | undefined }): void;
}
