/** What restoring a backup needs from a storage, and its result. */
import type { VerifyReport } from '../billing/maintenance-ports.ts';
import type { MaintenanceSetting } from './maintenance-setting.ts';

export interface RestoreRequest {
  /** The folder of the backup. */
  readonly from: string;
  /** The data folder to create: it must not exist, or be empty. */
  readonly to: string;
  readonly maintenance: MaintenanceSetting;
}

/** Why nothing was restored, in one sentence; the target is unchanged. */
export class CannotRestore extends Error {
  override readonly name = 'CannotRestore';
}

/** A data folder created from a backup, not served yet. */
export interface RestoredData {
  readonly files: number;
  /** When the backup was made, wall time, ms. */
  readonly createdAt: number;
  /** Whether the backup contained the secrets; if not, keys work only after the secrets were copied there by hand. */
  readonly secrets: boolean;
  /** The keys, sessions and links that were valid when the backup was made. */
  rights(): RestoredRights;
  /** Revokes every key, including disabled and archived ones, and ends every session and link; writes an audit entry. */
  revokeRights(nowMs: number): Promise<void>;
  /** Verifies the whole ledger, including archives, as of the time of the backup. */
  verify(): Promise<VerifyReport>;
}

export interface RestoredKey {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly kind: 'inference' | 'management';
  readonly project: string;
  readonly account: string;
}

export interface RestoredInvitation {
  readonly id: number;
  readonly email: string | null;
  readonly role: string;
  readonly account: string;
}

export interface RestoredRights {
  /** Valid when the backup was made. */
  readonly keys: readonly RestoredKey[];
  readonly invitations: readonly RestoredInvitation[];
  readonly sessions: number;
  /** One-use links other than invitations: setup, password reset, email confirmation. */
  readonly links: number;
}
