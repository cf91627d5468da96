/**
 * All providers of this installation: those of the configuration, which are fixed, and those of the dashboard, which change while calls run. A
 * change first builds a new snapshot, then writes to the store, then replaces the snapshot for new calls; running calls keep theirs.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import type { Secret } from '../core/secret.ts';
import type { Transactions } from '../core/transactions.ts';
import type { Outside } from '../providers/outside.ts';
import type { Provider } from '../providers/provider.ts';
import { CREDENTIALS_MAX } from '../providers/provider-options.ts';
import { type FurtherCredential, newFurther } from './further-credentials.ts';
import { ListedPrices, type PriceChange } from './listed-prices.ts';
import {
  countModels,
  describeFixed,
  describeIn,
  describeStored,
  type FixedProvider,
  type ListedProvider,
} from './listed-provider.ts';
import { checkModelSettings } from './model-settings.ts';
import type { CatalogSources } from './open-catalog.ts';
import type { ListedPrice, ListedPriceStore, ProviderStore, StoredProviderChanges } from './ports.ts';
import type { ProviderInput } from './provider-input.ts';
import { type Entries, makeSnapshot, type Opened, secondsOf } from './registry/make-snapshot.ts';
import {
  type Decision,
  definedElsewhere,
  nameTaken,
  notFound,
  type ProviderChange,
  type ProviderNews,
  present,
} from './registry/provider-change.ts';
import { isSame, readEntries } from './registry/read-entries.ts';
import type { ServingSnapshot } from './serving-snapshot.ts';
import {
  changedProvider,
  checkNewProvider,
  readyStored,
  type StoredEntry,
  type StoredEntryParts,
} from './stored-provider.ts';

export interface ProviderRegistryParts {
  /** In the order configured. */
  readonly fixed: readonly FixedProvider[];
  readonly wholeModels: CatalogSources['wholeModels'];
  readonly store: ProviderStore;
  /** Imported and pinned prices. */
  readonly listedPrices: ListedPriceStore;
  readonly transactions: Transactions;
  readonly sealer: Sealer;
  readonly outside: Outside;
  readonly pin: CatalogSources['pin'];
  readonly clock: Pick<Clock, 'now'>;
}

/** What a snapshot is made of. */
interface Basis extends Opened {
  readonly parts: ProviderRegistryParts;
}

export class ProviderRegistry {
  #parts: ProviderRegistryParts;
  /** When the registry was opened, Unix seconds: used as the configuration time of the fixed providers. */
  readonly #openedAt: number;
  readonly #listeners: ((snapshot: ServingSnapshot) => void)[] = [];
  #entries: Entries;
  #listed: ListedPrices;
  #snapshot: ServingSnapshot;
  /** Whether the snapshot lacks what was stored or replaced since. */
  #isBehind = false;

  private constructor(parts: ProviderRegistryParts, opened: Opened, openedAt: number, snapshot: ServingSnapshot) {
    this.#parts = parts;
    this.#openedAt = openedAt;
    this.#entries = opened.entries;
    this.#listed = opened.listed;
    this.#snapshot = snapshot;
  }

  /** Reads the store. A provider that cannot be served is listed with its problem and does not affect others. */
  static async open(parts: ProviderRegistryParts): Promise<ProviderRegistry> {
    const entries = await readEntries(parts, new Map());
    const openedAt = secondsOf(parts.clock.now());
    const opened = { entries, listed: new ListedPrices(await parts.listedPrices.list()) };
    return new ProviderRegistry(parts, opened, openedAt, await makeSnapshot(parts, opened, openedAt));
  }

  /** The snapshot that new calls use. */
  get current(): ServingSnapshot {
    return this.#snapshot;
  }

  /** `listener` is called with every new snapshot, after it is in use; it must not throw. */
  onChange(listener: (snapshot: ServingSnapshot) => void): void {
    this.#listeners.push(listener);
  }

  /** Those of the configuration, then those of the dashboard. */
  list(): readonly ListedProvider[] {
    const served = countModels(this.#snapshot);
    return [
      ...this.#parts.fixed.map((fixed) => describeFixed(fixed, served)),
      ...[...this.#entries.values()].map((entry) => describeStored(entry, served, this.#fixed(entry.stored.name))),
    ];
  }

  /** A provider of the dashboard or the configuration. Throws `GatewayError` `not_found`. */
  find(name: string): ListedProvider {
    const found = this.list().find((each) => each.name === name);
    if (found === undefined) throw notFound(name);
    return found;
  }

  /**
   * A provider to be tested, even if it is disabled. Throws `GatewayError` `not_found`, and `conflict` with the problem if it
   * cannot be called at all.
   */
  callable(name: string): Provider {
    const fixed = this.#fixed(name);
    if (fixed !== null) return fixed.provider;
    const entry = this.#entries.get(name);
    if (entry === undefined) throw notFound(name);
    const { provider, problem } = entry;
    if (provider === null) throw new GatewayError('conflict', problem === null ? {} : { message: problem });
    return provider;
  }

  /**
   * Throws `GatewayError` `invalid_value` for a provider that cannot serve calls, `conflict` if the name is taken, and, like
   * every change, what `checkStill` throws, which is called just before the write.
   */
  async create(name: string, kind: string, input: ProviderInput, how: ProviderChange = {}): Promise<ListedProvider> {
    this.#refuseFixed(name);
    checkNewProvider(name, kind);
    checkModelSettings(name, input.models);
    const { after } = await this.#change(name, how, (entries) => {
      if (entries.has(name)) throw nameTaken(name);
      const entry = readyStored(name, kind, input, this.#around());
      return { entry, write: () => this.#parts.store.create(entry.stored) };
    });
    return present(after);
  }

  /**
   * Absent fields stay as they are. Throws like `create`, `not_found`, and `conflict` for a provider of the configuration. A
   * credential is not sent to an origin it was not entered for: with another origin it must be entered again.
   */
  async update(
    name: string,
    changes: Partial<ProviderInput>,
    how: ProviderChange = {},
  ): Promise<{ before: ListedProvider; after: ListedProvider }> {
    this.#refuseFixed(name);
    const { before, after } = await this.#change(name, how, (entries) => {
      const current = this.#entry(entries, name);
      if (changes.models !== undefined) checkModelSettings(name, changes.models);
      const entry = changedProvider(current, changes, this.#around());
      const hasLost = entry.stored.moreCredentials !== current.stored.moreCredentials;
      return this.#written(entry, changes.credential !== undefined, hasLost);
    });
    return { before: present(before), after: present(after) };
  }

  /** A further credential, which takes turns with the others. Throws like `update`. */
  async addCredential(name: string, secret: Secret, how: ProviderChange = {}): Promise<ListedProvider> {
    return this.#changeFurther(name, how, (further) => {
      if (further.length >= CREDENTIALS_MAX - 1)
        throw new GatewayError('conflict', { message: `A provider has at most ${CREDENTIALS_MAX} credentials.` });
      return [...further, newFurther(secret, this.#parts.clock.now())];
    });
  }

  /** Throws like `update`, and `not_found` for an id that no further credential has. */
  async removeCredential(name: string, id: string, how: ProviderChange = {}): Promise<ListedProvider> {
    return this.#changeFurther(name, how, (further) => {
      if (further.some((each) => each.id === id)) return further.filter((each) => each.id !== id);
      throw new GatewayError('not_found', {
        message: `The provider ${name} has no further credential with this id; the first one is changed with the provider.`,
      });
    });
  }

  /** Throws `GatewayError` `not_found`, and `conflict` for a provider of the configuration. */
  async delete(name: string, how: ProviderChange = {}): Promise<ListedProvider> {
    this.#refuseFixed(name);
    const { before } = await this.#change(name, how, (entries) => {
      this.#entry(entries, name);
      return { entry: null, write: () => this.#parts.store.delete(name) };
    });
    return present(before);
  }

  async #changeFurther(
    name: string,
    how: ProviderChange,
    change: (further: readonly FurtherCredential[]) => readonly FurtherCredential[],
  ): Promise<ListedProvider> {
    this.#refuseFixed(name);
    const { after } = await this.#change(name, how, (entries) => {
      const current = this.#entry(entries, name);
      const entry = changedProvider(current, { further: change(current.further) }, this.#around());
      return this.#written(entry, false, true);
    });
    return present(after);
  }

  /** What did not change is not written, as it may have been sealed again meanwhile. */
  #written(entry: StoredEntry, hasCredential: boolean, hasFurther: boolean): Decision {
    const { name, credential, moreCredentials, seq: _seq, ...rest } = entry.stored;
    const columns: StoredProviderChanges = {
      ...rest,
      ...(hasCredential ? { credential } : {}),
      ...(hasFurther ? { moreCredentials } : {}),
    };
    return { entry, write: () => this.#parts.store.update(name, columns) };
  }

  /**
   * Replaces the providers of the configuration, for new calls; running ones keep theirs, and their prices. Rejects if the new ones
   * cannot be served together; nothing changes then.
   */
  async replaceFixed(fixed: readonly FixedProvider[]): Promise<void> {
    for (;;) {
      const basis = this.#basis();
      const parts = { ...basis.parts, fixed };
      const snapshot = await makeSnapshot(parts, basis, this.#openedAt);
      if (!this.#isStill(basis)) continue;
      this.#parts = parts;
      return this.#show(basis.entries, snapshot);
    }
  }

  /**
   * Serves what is stored now, for new calls: another process may have changed providers or prices. What has not changed keeps its provider,
   * and so its health. `isOther`: the database went on from another state, so that rows with the same number may differ.
   */
  async refresh(isOther = false): Promise<void> {
    for (;;) {
      const basis = this.#basis();
      const { entries: known, listed: prices, parts } = basis;
      const entries = await readEntries(parts, known, isOther);
      const rows = await parts.listedPrices.list();
      const listed = (await prices.isSame(rows)) ? prices : new ListedPrices(rows);
      const hasChanged =
        this.#isBehind ||
        listed !== prices ||
        entries.size !== known.size ||
        entries.values().some((entry) => known.get(entry.stored.name) !== entry);
      const snapshot = hasChanged ? await makeSnapshot(parts, { entries, listed }, this.#openedAt) : this.#snapshot;
      if (!this.#isStill(basis)) continue;
      this.#listed = listed;
      if (hasChanged) this.#show(entries, snapshot);
      return;
    }
  }

  /**
   * Decides on the entries in memory and builds the new snapshot; then, in one transaction, checks that these entries are
   * still what is stored, and writes. If they are not, it starts again from what is stored. The snapshot is complete before
   * anything is written, so a provider that cannot be served changes nothing.
   */
  async #change(
    name: string,
    { checkStill, note }: ProviderChange,
    decide: (entries: Entries) => Decision,
  ): Promise<ProviderNews> {
    const { store, transactions } = this.#parts;
    for (;;) {
      const basis = this.#basis();
      const { entries: known, listed, parts } = basis;
      const { entry, write } = decide(known);
      const entries = new Map(known);
      if (entry === null) entries.delete(name);
      else entries.set(name, entry);
      const snapshot = await makeSnapshot(parts, { entries, listed }, this.#openedAt);
      const news: ProviderNews = {
        before: describeIn(known.get(name), this.#snapshot, this.#parts.fixed),
        after: describeIn(entry ?? undefined, snapshot, this.#parts.fixed),
      };
      const isDone = await transactions.run(async () => {
        if (!this.#isStill(basis) || !isSame(known, await store.list())) return false;
        await checkStill?.();
        const seq = await write();
        if (seq === null) throw entry === null ? notFound(name) : nameTaken(name);
        await note?.(news);
        transactions.afterCommit(() => {
          if (entry !== null) entries.set(name, { ...entry, stored: { ...entry.stored, seq } });
          this.#take({ ...this.#basis(), entries }, basis, snapshot);
        });
        return true;
      });
      if (isDone) {
        await this.#catchUp();
        return news;
      }
      if (this.#entries === known) this.#entries = await readEntries(this.#parts, known);
    }
  }

  /** The prices that were imported or pinned. */
  get listedPrices(): ListedPrices {
    return this.#listed;
  }

  /**
   * Writes the prices that `decide` returns, which may be called twice, and returns them. New calls use them; running calls keep theirs.
   * Throws what `checkStill` and `note` throw: then nothing is changed.
   */
  async changePrices(
    decide: (current: ListedPrices) => readonly ListedPrice[] | Promise<readonly ListedPrice[]>,
    { checkStill, note }: PriceChange = {},
  ): Promise<readonly ListedPrice[]> {
    const { listedPrices: store, transactions } = this.#parts;
    for (;;) {
      const basis = this.#basis();
      const { entries, listed, parts } = basis;
      const rows = await decide(listed);
      if (rows.length === 0) return rows;
      const next = listed.with(rows);
      const snapshot = await makeSnapshot(parts, { entries, listed: next }, this.#openedAt);
      const isDone = await transactions.run(async () => {
        if (!this.#isStill(basis)) return false;
        if (!(await listed.isSame(await store.list()))) return false;
        await checkStill?.();
        await store.put(rows);
        await note?.(rows);
        transactions.afterCommit(() => this.#take({ ...this.#basis(), listed: next }, basis, snapshot));
        return true;
      });
      if (!isDone) {
        // Perhaps another process changed prices.
        await this.refresh();
        continue;
      }
      await this.#catchUp();
      return rows;
    }
  }

  #around(): StoredEntryParts {
    const { sealer, outside, clock } = this.#parts;
    return { sealer, outside, now: clock.now() };
  }

  #basis(): Basis {
    return { entries: this.#entries, listed: this.#listed, parts: this.#parts };
  }

  #isStill({ entries, listed, parts }: Basis): boolean {
    return this.#entries === entries && this.#listed === listed && this.#parts === parts;
  }

  /**
   * Takes what was committed. If a part of what `snapshot` was made of was replaced since, as by a reload, it is not shown: it would bring the
   * earlier part back.
   */
  #take({ entries, listed }: Basis, basis: Basis, snapshot: ServingSnapshot): void {
    const isCurrent = this.#isStill(basis);
    this.#listed = listed;
    if (isCurrent) return this.#show(entries, snapshot);
    this.#entries = entries;
    this.#isBehind = true;
  }

  /** Shows what was taken without its snapshot. */
  async #catchUp(): Promise<void> {
    while (this.#isBehind) {
      const basis = this.#basis();
      const snapshot = await makeSnapshot(basis.parts, basis, this.#openedAt);
      if (this.#isStill(basis)) this.#show(basis.entries, snapshot);
    }
  }

  #show(entries: Entries, snapshot: ServingSnapshot): void {
    this.#isBehind = false;
    this.#entries = entries;
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener(snapshot);
  }

  #fixed(name: string): FixedProvider | null {
    return this.#parts.fixed.find(({ provider }) => provider.name === name) ?? null;
  }

  #refuseFixed(name: string): void {
    for (const fixed of this.#parts.fixed) if (fixed.provider.name === name) throw definedElsewhere(fixed);
  }

  #entry(entries: Entries, name: string): StoredEntry {
    const entry = entries.get(name);
    if (entry === undefined) throw notFound(name);
    return entry;
  }
}
