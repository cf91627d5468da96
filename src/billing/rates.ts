/**
 * At what rate a call is charged. The installation has a markup, and markups of models; an account may have its own, for every
 * model or for one: the narrowest wins. An own credential has a fee instead.
 */
import type { AccountRates } from '../core/rates/account-rates.ts';
import { LIST_RATE, NO_CHARGE, partOfRate, type Rate } from '../core/rates/rate.ts';

/** Of the installation, from its configuration. */
export interface InstallationRates {
  readonly markup: Rate;
  /** By model id. */
  readonly models: ReadonlyMap<string, Rate>;
  readonly ownCredential: Rate;
  /** What part of its rate a call for a line of a batch is charged at; absent for all of it. An own credential's fee is the same. */
  readonly batch?: Rate;
  /** The same by model id. */
  readonly batchModels?: ReadonlyMap<string, Rate>;
}

/** Every call at the list price; own credentials are free. */
export const LIST_RATES: InstallationRates = { markup: LIST_RATE, models: new Map(), ownCredential: NO_CHARGE };

/** The rates of one account at one time: a call is held, settled and verified at those it was admitted with. Immutable. */
export interface PinnedRates {
  /** `isOwn`: with a credential of the account or its project. */
  rateOf(model: string, isOwn: boolean): Rate;
  /** Those of calls for lines of batches; absent if they are the same. */
  readonly ofBatches?: PinnedRates;
}

/** Rates for every account; those of one are made once, so that a call allocates none. */
export class RateBook {
  #installation: InstallationRates;
  #pinned = new WeakMap<AccountRates, PinnedRates>();

  constructor(installation: InstallationRates) {
    this.#installation = installation;
  }

  /** For calls that come from now on: what was pinned stays. */
  replace(installation: InstallationRates): void {
    this.#installation = installation;
    this.#pinned = new WeakMap();
  }

  of({ rates }: { readonly rates: AccountRates }): PinnedRates {
    let pinned = this.#pinned.get(rates);
    if (pinned === undefined) {
      pinned = pinnedRates(this.#installation, rates);
      this.#pinned.set(rates, pinned);
    }
    return pinned;
  }
}

export const LIST_PRICES: PinnedRates = { rateOf: (_model, isOwn) => (isOwn ? NO_CHARGE : LIST_RATE) };

function pinnedRates(installation: InstallationRates, account: AccountRates): PinnedRates {
  const rates = new Rates(installation, account);
  const { batch = LIST_RATE, batchModels = new Map() } = installation;
  if (batch === LIST_RATE && batchModels.size === 0) return rates;
  const ofBatches: PinnedRates = {
    rateOf: (model, isOwn) =>
      isOwn ? rates.rateOf(model, true) : partOfRate(rates.rateOf(model, false), batchModels.get(model) ?? batch),
  };
  return { rateOf: (model, isOwn) => rates.rateOf(model, isOwn), ofBatches };
}

class Rates implements PinnedRates {
  readonly #installation: InstallationRates;
  readonly #account: AccountRates;
  readonly #models: ReadonlyMap<string, Rate>;

  constructor(installation: InstallationRates, account: AccountRates) {
    this.#installation = installation;
    this.#account = account;
    this.#models = new Map(Object.entries(account.models ?? {}));
  }

  rateOf(model: string, isOwn: boolean): Rate {
    const { markup, models, ownCredential } = this.#installation;
    if (isOwn) return this.#account.ownCredential ?? ownCredential;
    return this.#models.get(model) ?? this.#account.markup ?? models.get(model) ?? markup;
  }
}
