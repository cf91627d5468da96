/** What restoring a backup asks of a storage, and what it answers. */
import type { VerifyReport } from '../billing/maintenance-ports.ts';
import type { MaintenanceSetting } from './maintenance-setting.ts';

export interface RestoreRequest {
  /** The folder of the backup. */
  readonly from: string;
  /** The data folder to be made: it must not be there, or hold nothing. */
  readonly to: string;
  readonly maintenance: MaintenanceSetting;
}

/** Why nothing was restored, in one sentence; the target is as it was. */
export class CannotRestore extends Error {
  override readonly name = 'CannotRestore';
}

/** A data folder that was made from a backup, and that nobody serves yet. */
export interface RestoredData {
  readonly files: number;
  /** When the backup was made, wall time, ms. */
  readonly createdAt: number;
  /** Whether the secrets came with it; else keys are good only with those that are put there by hand. */
  readonly secrets: boolean;
  /** Who is let in by it, as things were when the backup was made. */
  rights(): RestoredRights;
  /** Revokes every key, disabled and archived ones too, and ends every session and link; an entry of the audit log says so. */
  revokeRights(nowMs: number): Promise<void>;
  /** The whole ledger, archives included, as of when the backup was made. */
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
  /** Good when the backup was made. */
  readonly keys: readonly RestoredKey[];
  readonly invitations: readonly RestoredInvitation[];
  readonly sessions: number;
  /** One-use links that are no invitations: to set up, to a new password, to confirm an address. */
  readonly links: number;
}
