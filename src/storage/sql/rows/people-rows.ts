/** The rows of people: who can sign in, and to what. */
import type { Generated } from 'kysely';

export interface UserRow {
  id: Generated<number>;
  /** Lower case. */
  email: string;
  name: string;
  /** Argon2id in PHC form; null until one is set. */
  password_hash: string | null;
  is_operator: Generated<number>;
  /** Sealed; in force once `totp_confirmed_at` is set. */
  totp_secret: Generated<Uint8Array | null>;
  totp_confirmed_at: Generated<number | null>;
  /** The 30-second step of the last accepted code: no code can be used twice. */
  totp_last_step: Generated<number | null>;
  /** JSON: SHA-256 digests of the unused codes, hexadecimal. */
  recovery_codes: Generated<string>;
  created_at: number;
  email_confirmed_at: Generated<number | null>;
  disabled_at: Generated<number | null>;
}

export interface SessionRow {
  id: Generated<number>;
  /** SHA-256 of the token in the cookie. */
  digest: Uint8Array;
  user_id: number;
  state: 'full' | 'awaits_totp';
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  ip: string | null;
  user_agent: string | null;
}

/** One-use links: setup, invitation, password reset, email confirmation. */
export interface LinkRow {
  id: Generated<number>;
  /** SHA-256 of the token in the link. */
  digest: Uint8Array;
  purpose: 'setup' | 'invitation' | 'password' | 'email';
  user_id: number | null;
  account_id: number | null;
  role: 'owner' | 'admin' | 'developer' | 'viewer' | null;
  email: string | null;
  created_at: number;
  /** The person or the management key that created it; both null for the system. */
  created_by: number | null;
  created_by_key: Generated<number | null>;
  expires_at: number;
  used_at: Generated<number | null>;
  /** For a sign-up that waits for its email confirmation, like `password_hash`. */
  name: Generated<string | null>;
  password_hash: Generated<string | null>;
}

export interface MembershipRow {
  account_id: number;
  user_id: number;
  role: 'owner' | 'admin' | 'developer' | 'viewer';
  joined_at: number;
}
