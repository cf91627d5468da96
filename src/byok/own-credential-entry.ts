/** One own credential in memory: its row, its secrets in clear, and the providers made of them when they are first needed. */
import type { Sealer } from '../core/sealing/sealer.ts';
import type { Secret } from '../core/secret.ts';
import { ProviderConfigurationError } from '../providers/configure.ts';
import type { Outside } from '../providers/outside.ts';
import type { Provider } from '../providers/provider.ts';
import { ownProvider } from './own-provider.ts';
import type { StoredOwnCredential } from './ports.ts';
import { openOwn } from './sealed-places.ts';

const NOT_OPENED =
  'It cannot be decrypted with the sealing keys of this installation: enter the credential again, or ask the operator to restore sealing.key.';

const UNREADABLE =
  'Its row in the database cannot be read: delete the credential and add it again, or ask the operator to correct the row.';

export interface EntryParts {
  readonly sealer: Sealer;
  readonly outside: Outside;
}

export class OwnCredentialEntry {
  readonly stored: StoredOwnCredential;
  readonly #outside: Outside;
  /** In private fields, which neither `inspect` nor `JSON.stringify` shows. */
  readonly #secret: Secret | null;
  readonly #previous: Secret | null;
  #service: Provider | null = null;
  #formerService: Provider | null = null;
  #problem: string | null = null;

  /**
   * Opens the secrets at once, because a rotation of the sealing key may drop the key that sealed this row. `former` is the entry that it
   * replaces: if the same is called in the same way, its providers are kept, and with them what is known of their health.
   */
  constructor(stored: StoredOwnCredential, { sealer, outside }: EntryParts, former: OwnCredentialEntry | null = null) {
    this.stored = stored;
    this.#outside = outside;
    const isUnreadable = stored.isUnreadable ?? former?.stored.isUnreadable ?? false;
    if (former !== null && !isUnreadable && isCalledAlike(former.stored, stored)) {
      this.#secret = former.#secret;
      this.#previous = former.#previous;
      this.#service = former.#service;
      this.#formerService = former.#formerService;
      this.#problem = former.#problem;
      return;
    }
    if (stored.isUnreadable === true) {
      // Where it may be sent is not known.
      this.#secret = null;
      this.#previous = null;
      this.#problem = UNREADABLE;
      return;
    }
    this.#secret = openOwn(sealer, stored, 'secret', stored.secret);
    this.#previous = openOwn(sealer, stored, 'previous', stored.previous);
    if (this.#secret === null) this.#problem = NOT_OPENED;
  }

  /** Why it cannot be used at all, and what to do; null if nothing is wrong. */
  get problem(): string | null {
    void this.service;
    return this.#problem;
  }

  get secret(): Secret | null {
    return this.#secret;
  }

  /** The provider that signs with it; null if it cannot be called. */
  get service(): Provider | null {
    this.#service ??= this.#make(this.#secret);
    return this.#service;
  }

  /** The same with the secret before the last rotation, which counts until `previousUntil`; null if there is none. */
  get formerService(): Provider | null {
    this.#formerService ??= this.#make(this.#previous);
    return this.#formerService;
  }

  #make(secret: Secret | null): Provider | null {
    if (secret === null || this.#problem !== null) return null;
    try {
      return ownProvider(this.stored, secret, this.#outside);
    } catch (error) {
      if (!(error instanceof ProviderConfigurationError)) throw error;
      // A kind of a later version, or a rule that was not there when it was stored.
      this.#problem = error.message;
      return null;
    }
  }
}

function isCalledAlike(a: StoredOwnCredential, b: StoredOwnCredential): boolean {
  const [previousOfA, previousOfB] = [a.previous ?? NOTHING, b.previous ?? NOTHING];
  return (
    a.origin === b.origin &&
    JSON.stringify(a.options) === JSON.stringify(b.options) &&
    Buffer.compare(a.secret, b.secret) === 0 &&
    Buffer.compare(previousOfA, previousOfB) === 0
  );
}

const NOTHING = Buffer.alloc(0);
