/** A node's place at the bank, taken with its journal. */
import type { Clock } from '../../core/clock.ts';
import type { NodeBank, NodeIdentity, NodePlace, NodeSettings, NodeStorage, Registration } from '../../nodes/ports.ts';
import type { StorageProblem } from '../storage.ts';
import type { Journal } from './journal.ts';

/** What a place needs of the node's journal. */
export type PlacedJournal = Pick<
  Journal,
  'id' | 'fingerprint' | 'unsent' | 'connect' | 'forwardAll' | 'retryNow' | 'bankIs' | 'sendAgain'
> &
  Pick<NodeStorage, 'setAside'>;

export interface NodeStorageParts {
  readonly journal: PlacedJournal;
  readonly bank: NodeBank;
  readonly clock: Clock;
  /** What operators call the node, and its program's version. */
  readonly name: string;
  readonly version: string;
  /** How it is configured when it starts. */
  readonly settings: NodeSettings;
  /** Which history of which database the bank has; see `Journal.bankIs`. */
  readonly history: () => Promise<string>;
  /** Whether the bank will never take these settlements. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Called with problems that no caller learns of; must not throw. */
  readonly onProblem: (problem: StorageProblem) => void;
}

/** A node that was killed has its place back at once; with another host name, when the bank has not seen it for this time. */
const SEEN_MS = 15_000;
const REGISTER_AGAIN_MS = 1_000;
/** The bank takes settlements as long as it takes some in this time. */
const PROGRESS_MS = 30_000;
/** While it takes none, it may have gone on from another history. */
const LOOK_EVERY_MS = 1_000;
const HISTORY_PERIOD_MS = 5_000;
/** The least time that what the journal has is given to be settled from the leases of the place before, which are closed then. */
const SETTLED_MS = 5_000;
/** A page of money waits for this node's settlements, and then shows what the bank has. */
const SENT_MS = 250;

/**
 * Registers the node and sends what its journal has, so that no lease of an earlier run stays open; calls may be admitted after it
 * resolves. Throws an error that says what to do if another process has this journal's id, a node runs whose accounts pay in another way, or the bank
 * takes nothing.
 */
export async function openNodeStorage(parts: NodeStorageParts): Promise<JournaledNode> {
  const node = new JournaledNode(parts);
  try {
    await node.start();
  } catch (error) {
    node.close();
    throw error;
  }
  return node;
}

export class JournaledNode implements NodeStorage {
  readonly bank: NodeBank;
  readonly money: NodeStorage['money'];
  #settings: NodeSettings;
  readonly #parts: NodeStorageParts;
  #place: NodePlace = { slot: 0, epoch: 0 };
  /** The first epoch of this process. */
  #runsSince = 0;
  readonly #historyListeners: (() => void)[] = [];
  readonly #placeListeners: (() => Promise<void>)[] = [];
  #isChecking = false;
  #timer: { cancel(): void } | null = null;

  constructor(parts: NodeStorageParts) {
    const { journal, bank, settings } = parts;
    this.bank = bank;
    // Adding what is unsent to the bank's sums would count a call twice, or not at all, that arrives in between.
    this.money = {
      async of(scopes) {
        await journal.forwardAll(SENT_MS);
        return bank.money.of(scopes);
      },
    };
    this.#settings = settings;
    this.#parts = parts;
  }

  get identity(): NodeIdentity {
    const { journal, name, version } = this.#parts;
    return { id: journal.id, fingerprint: journal.fingerprint, name, version, settings: this.#settings };
  }

  get place(): NodePlace {
    return this.#place;
  }

  onHistoryChange(listener: () => void): void {
    this.#historyListeners.push(listener);
  }

  onPlaceTaken(listener: () => Promise<void>): void {
    this.#placeListeners.push(listener);
  }

  get unsent(): NodeStorage['unsent'] {
    return this.#parts.journal.unsent;
  }

  get setAside(): NodeStorage['setAside'] {
    return this.#parts.journal.setAside;
  }

  async start(): Promise<void> {
    const { journal, bank, clock, isRefusal } = this.#parts;
    await this.#takeFirstPlace();
    journal.connect({ settle: (batch) => bank.settle(this.#place, batch), isRefusal });
    // A standby that takes over now may lack what was settled a moment ago: the same again, there.
    while (!(await this.#settleAndClose())) await this.#takeFirstPlace();
    this.#timer = clock.every(HISTORY_PERIOD_MS, () => void this.#checkHistory());
  }

  async registerAgain(hasGoneBack = false): Promise<NodePlace> {
    const { bank, journal } = this.#parts;
    const { place, carriedEpoch } = await this.#register();
    const isOther = hasGoneBack || place.history !== this.#place.history;
    this.#place = place;
    for (const listener of this.#placeListeners) await listener();
    if (isOther) {
      if (hasGoneBack) await journal.sendAgain();
      if (place.history !== undefined) await journal.bankIs(place.history);
    }
    // Money that was lent for these calls must not be lent to others before they are settled.
    if (carriedEpoch === null) journal.retryNow();
    else await journal.forwardAll(SETTLED_MS);
    // What is lent from now on must be all that the node has.
    await bank.closeLeases(place, this.#runsSince);
    return place;
  }

  async noteSettings(settings: NodeSettings): Promise<void> {
    this.#settings = settings;
    await this.#parts.bank.noteSettings(this.#place, settings);
  }

  forwardAll(withinMs: number): Promise<boolean> {
    return this.#parts.journal.forwardAll(withinMs);
  }

  /** The journal is closed by its owner. */
  close(): void {
    this.#timer?.cancel();
  }

  async #register(): Promise<Extract<Registration, { readonly refused: null }>> {
    const { bank, clock, onProblem } = this.#parts;
    for (let waitedMs = 0; ; waitedMs += REGISTER_AGAIN_MS) {
      const registration = await bank.register(this.identity);
      if (registration.refused === null) return registration;
      if (registration.refused === 'other_mode') throw new Error(otherMode(registration, this.#settings));
      if (waitedMs === 0) {
        const cause = new Error(
          `Another process, ${registration.name}, has this node's journal and was seen a moment ago; this one waits until it was not seen for ${SEEN_MS / 1_000} s.`,
        );
        onProblem({ type: 'place_in_use', count: 1, cause });
      }
      if (waitedMs > SEEN_MS)
        throw new Error(
          `Another process, ${registration.name}, runs with a copy of this node's journal. Stop it; or, if this data folder was copied ` +
            'from it, remove journal.db and journal.mark from this one: the other process sends what is in it.',
        );
      await new Promise<void>((resolve) => clock.after(REGISTER_AGAIN_MS, resolve));
    }
  }

  async #takeFirstPlace(): Promise<void> {
    const { journal, history, onProblem } = this.#parts;
    this.#place = (await this.#register()).place;
    this.#runsSince = this.#place.epoch;
    if (!(await journal.bankIs(this.#place.history ?? (await history())))) return;
    const cause = new Error('The database has another history than when this node last ran.');
    onProblem({ type: 'database_went_back', count: 1, cause });
  }

  /** Resolves to whether the journal was settled from the leases of the last run, and those are closed: not in a database of another history. */
  async #settleAndClose(): Promise<boolean> {
    if (!(await this.#sendAll())) return false;
    try {
      await this.#parts.bank.closeLeases(this.#place);
      return true;
    } catch (error) {
      if (await this.#isElsewhere()) return false;
      throw error;
    }
  }

  /** False if the database has another history than the place. */
  async #sendAll(): Promise<boolean> {
    const { journal } = this.#parts;
    let { calls } = journal.unsent;
    for (let waitedMs = 0; !(await journal.forwardAll(LOOK_EVERY_MS)); waitedMs += LOOK_EVERY_MS) {
      if (await this.#isElsewhere()) return false;
      const left = journal.unsent.calls;
      if (left < calls) waitedMs = 0;
      calls = left;
      if (waitedMs >= PROGRESS_MS)
        throw new Error(
          `The database takes none of the ${calls} settlements in this node's journal. They stay in it; start again when the database works.`,
        );
    }
    return true;
  }

  /** A database that does not answer has the history that it had. */
  async #isElsewhere(): Promise<boolean> {
    const { history } = this.#place;
    if (history === undefined) return false;
    return this.#parts.history().then(
      (now) => now !== history,
      () => false,
    );
  }

  /** A bank that does not answer has the history that it had: what it acknowledged is kept until it is known. */
  async #checkHistory(): Promise<void> {
    const { journal, history } = this.#parts;
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const place = this.#place;
      const now = await history();
      // It takes a new place before anything is sent there.
      if (place.history !== undefined && now !== place.history) {
        if (place === this.#place) this.#noteOther();
      } else if (await journal.bankIs(now)) this.#noteOther();
    } catch {
      // It is asked again soon, and the forwarder reports a bank that is away.
    }
    this.#isChecking = false;
  }

  #noteOther(): void {
    for (const listener of this.#historyListeners) listener();
  }
}

function otherMode({ name, mode }: { readonly name: string; readonly mode: string }, settings: NodeSettings): string {
  return (
    `Node ${name} of this database has billing.mode ${mode}, and this one ${settings['billing.mode']}: accounts would pay in two ways. ` +
    `Set billing.mode to ${mode} here; or, to change it, stop all nodes first, and start them with the other one. A node that was killed counts for two minutes.`
  );
}
