/** The rates that an account has of its own; an absent one is the installation's. */
import type { Rate } from './rate.ts';

export interface AccountRates {
  /** Of the operator's credentials, for every model that has none below. */
  readonly markup?: Rate;
  /** The same by model id. */
  readonly models?: Readonly<Record<string, Rate>>;
  /** Of the account's own credentials. */
  readonly ownCredential?: Rate;
}

/** Most accounts share this object. */
export const NO_ACCOUNT_RATES: AccountRates = Object.freeze({});
