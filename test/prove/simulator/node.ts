/**
 * A simulated node: the real bank over a controlled ledger, disk and clock, and next to it
 * books and windows that say what the bank must report.
 */
import type { Hold, HoldRequest } from '../../../src/billing/bank.ts';
import type { BillingMode } from '../../../src/billing/billing-mode.ts';
import { LedgerBank } from '../../../src/billing/ledger-bank.ts';
import { type InstallationRates, type PinnedRates, RateBook } from '../../../src/billing/rates.ts';
import type { Prices, Target } from '../../../src/catalog/model.ts';
import type { Budgets } from '../../../src/core/budget.ts';
import { dayOf } from '../../../src/core/calendar.ts';
import type { ManualClock } from '../../../src/core/clock.ts';
import type { CallId, KeyId, PriceVersionId } from '../../../src/core/ids.ts';
import { type AccountRates, NO_ACCOUNT_RATES } from '../../../src/core/rates/account-rates.ts';
import { LIST_RATE } from '../../../src/core/rates/rate.ts';
import type { Settlement } from '../../../src/core/settlement.ts';
import { ACCOUNTS, accountOfProject, type Backing, PROJECTS } from './backing.ts';
import { Books } from './books.ts';
import type { SimulatedCall } from './simulated-call.ts';
import { UnsureDisk } from './unsure-disk.ts';
import { promise, same, Violation } from './violation.ts';
import { Windows } from './windows.ts';

export interface SimulatedKey {
  readonly id: KeyId;
  readonly rootId: KeyId;
  readonly projectId: number;
  budgets: Budgets | undefined;
  isRevoked: boolean;
}

export interface SimulatedModel {
  readonly name: string;
  target: Target;
}

export interface NodeOptions {
  readonly mode: BillingMode;
  readonly isForwards: boolean;
  readonly seen: Map<string, number>;
  readonly rates: InstallationRates;
}

export class SimulatedNode {
  readonly mode: BillingMode;
  readonly clock: ManualClock;
  readonly backing: Backing;
  readonly books: Books;
  readonly windows: Windows;
  readonly keys: SimulatedKey[] = [];
  readonly models: SimulatedModel[] = [];
  readonly projectBudgets: (Budgets | undefined)[] = new Array(PROJECTS + 1).fill(undefined);
  readonly accountBudgets: (Budgets | undefined)[] = new Array(ACCOUNTS + 1).fill(undefined);
  readonly #rateBook: RateBook;
  /** Counts how often the installation's rates were replaced. */
  ratesVersion = 0;
  readonly #accountRates: AccountRates[] = new Array(ACCOUNTS + 1).fill(NO_ACCOUNT_RATES);
  /** Calls whose caller is connected. */
  readonly running: SimulatedCall[] = [];
  /** Whether days only ever advance: then the ledger's sum of a window is what the bank reported. */
  readonly isForwards: boolean;
  readonly prices = new Map<PriceVersionId, Prices>();
  disk: UnsureDisk;
  bank: LedgerBank;
  /** How often each case worth proving occurred. */
  readonly seen: Map<string, number>;
  /** The last reference that was made up. */
  references = 0;
  /** Counts the processes: what an earlier one still learns is ignored. */
  life = 0;
  /** How many writes the disk had refused when a call was last requested; what it refused before is settled then. */
  askedAfter = -1;
  /** False after a start at which the clock stood before a day that had calls. */
  isComparable = true;
  /** Errors that nobody awaits. */
  broken: unknown = null;
  /** Holds that the bank must have, by call. */
  readonly open = new Map<CallId, { readonly request: HoldRequest; readonly hold: Hold; readonly day: number }>();
  readonly #days = new Map<CallId, number>();
  /** What the bank was last told to settle if the process dies. */
  readonly #crashes = new Map<CallId, Settlement>();
  /** Calls whose caller got an error because the disk refused their settlement. */
  readonly refusedEnds = new Set<CallId>();
  #isRecovering = false;

  private constructor(backing: Backing, clock: ManualClock, options: NodeOptions) {
    this.backing = backing;
    this.clock = clock;
    this.mode = options.mode;
    this.isForwards = options.isForwards;
    this.seen = options.seen;
    this.#rateBook = new RateBook(options.rates);
    this.windows = new Windows(clock.now());
    this.books = new Books(
      (version) => this.#pricesOf(version),
      (settlement) => this.#charged(settlement),
    );
    this.disk = this.#openDisk();
    this.bank = null as unknown as LedgerBank;
  }

  static async start(backing: Backing, clock: ManualClock, options: NodeOptions): Promise<SimulatedNode> {
    const node = new SimulatedNode(backing, clock, options);
    node.bank = await node.#openBank();
    return node;
  }

  /** The process is gone, and the next one starts with what is durable. The disk was repaired meanwhile. */
  async restart(): Promise<void> {
    this.life += 1;
    this.running.length = 0;
    this.open.clear();
    this.askedAfter = -1;
    const recovered = await this.backing.reopen();
    this.#isRecovering = true;
    const expected = this.books.recovered();
    this.#isRecovering = false;
    same(recovered, expected, () => 'the number of holds that were settled at the start');
    this.disk = this.#openDisk();
    if (!this.isForwards) this.#reloadWindows();
    this.bank = await this.#openBank();
  }

  /** A hold was granted: the bank has it until its settlement row is durable. */
  admitted(request: HoldRequest, hold: Hold): void {
    const { day } = this.windows;
    this.open.set(request.callId, { request, hold, day });
    this.#days.set(request.callId, day);
    this.windows.admit(`key ${request.keyId}`, request.keyBudgets);
    this.windows.admit(`project ${request.projectId}`, request.projectBudgets);
    this.windows.admit(`account ${request.accountId}`, request.accountBudgets);
  }

  /** The settlement that applies if the process dies now. */
  crashes(call: SimulatedCall): Settlement {
    const settlement = call.crashed();
    if (this.mode !== 'off') this.#crashes.set(settlement.callId, settlement);
    return settlement;
  }

  async addKey(rootId: KeyId | null, projectId: number, budgets: Budgets | undefined): Promise<void> {
    const id = (this.keys.length + 1) as KeyId;
    await this.backing.addKey(rootId, projectId);
    this.keys.push({ id, rootId: rootId ?? id, projectId, budgets, isRevoked: false });
  }

  async pin(model: string, target: Target): Promise<Target> {
    const { prices, provider, upstreamModel } = target;
    if (prices === null) return target;
    const priceVersion = await this.backing.pin({ model, provider, upstreamModel, prices });
    this.prices.set(priceVersion, prices);
    return { ...target, priceVersion };
  }

  accountOf(key: SimulatedKey): number {
    return accountOfProject(key.projectId);
  }

  ratesOf(account: number): PinnedRates {
    return this.#rateBook.of({ rates: this.#accountRates[account] ?? NO_ACCOUNT_RATES });
  }

  changeRates(account: number, rates: AccountRates): void {
    this.#accountRates[account] = rates;
  }

  /** As when the configuration is read again. */
  replaceRates(rates: InstallationRates): void {
    this.#rateBook.replace(rates);
    this.ratesVersion += 1;
  }

  saw(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  fail(error: unknown): void {
    this.broken ??= error;
  }

  #openDisk(): UnsureDisk {
    return new UnsureDisk(this.backing.store, this.books, (rows) => {
      for (const row of rows) if (row.type === 'settlement') this.open.delete(row.settlement.callId);
    });
  }

  async #openBank(): Promise<LedgerBank> {
    const { disk } = this;
    return new LedgerBank({
      store: disk,
      loaded: await this.backing.load(),
      mode: this.mode,
      clock: this.clock,
      isWritable: () => disk.isWritable(),
    });
  }

  #pricesOf(version: PriceVersionId): Prices {
    const prices = this.prices.get(version);
    if (prices === undefined) throw new Violation(`there is no price version ${version}`);
    return prices;
  }

  #charged(settlement: Settlement): void {
    const { callId, charge, admittedAt, ending } = settlement;
    this.saw(`ended ${ending}`);
    if (settlement.variance > 0n) this.saw('cost above the hold');
    if (settlement.usageSource === 'cache') this.saw('answered from the cache');
    if (settlement.ownCredential) this.saw(settlement.charge > 0n ? 'own credential with a fee' : 'own credential');
    else if (settlement.rate !== LIST_RATE && settlement.charge > 0n) this.saw('charged with a markup');
    if (ending === 'gateway_crashed' && !this.#isRecovering)
      promise(settlement === this.#crashes.get(callId), () => `call ${callId} is not settled by its last checkpoint`);
    if (this.refusedEnds.has(callId))
      promise(ending.startsWith('gateway_'), () => `call ${callId} failed for its caller, and stands as ${ending}`);
    const day = this.#days.get(callId);
    promise(day !== undefined, () => `call ${callId} was settled and never admitted`);
    if (this.isForwards) same(day ?? -1, dayOf(admittedAt), () => `the day of call ${callId}`);
    for (const owner of this.#owners(settlement)) this.windows.add(owner, charge, day ?? -1);
  }

  #owners({ keyId, projectId, accountId }: Settlement): readonly string[] {
    const root = this.keys[keyId - 1]?.rootId;
    return [`key ${root}`, `project ${projectId}`, `account ${accountId}`];
  }

  #reloadWindows(): void {
    const spent = [...this.books.settled.values()].flatMap((settlement) => {
      const day = dayOf(settlement.admittedAt);
      return this.#owners(settlement).map((owner) => ({ owner, charge: settlement.charge, day }));
    });
    this.windows.reload(this.clock.now(), spent);
    this.isComparable = spent.every(({ day }) => day <= this.windows.day);
  }
}
