/** What the management API is put together from; `app/app.ts` does it once, for all doors. */
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
  /** Whether an error says that the disk, the file or a lock is at fault, and not what was asked for. */
  isStorageTrouble(error: unknown): boolean;
}

/** What the public server does for every route of its own. */
export interface ManagementEdge {
  readonly keys: KeyDoor;
  /** Throws `GatewayError` for a request line or headers that two readers could take differently. */
  checkHead(request: IncomingMessage): void;
  clientAddress(request: IncomingMessage): string | null;
  /** As OpenRouter's clients read errors. */
  writeOpenRouterError(error: GatewayError, requestId: string): string;
  /** Counts an error that is told; logs one of ours. */
  noteError(error: GatewayError, facts: { readonly requestId: string; readonly route: string | undefined }): void;
}
