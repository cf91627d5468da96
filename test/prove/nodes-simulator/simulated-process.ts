/** One life of a node: the real session, leases and bank of a node, over its journal and a network to the model of the bank. */
import { LentBank } from '../../../src/billing/lent/lent-bank.ts';
import type { LedgerRow, LedgerStore } from '../../../src/billing/ports.ts';
import { Leases } from '../../../src/nodes/leases.ts';
import type { NodeBank, NodePlace, NodeStorage, Registration, SettleAnswer } from '../../../src/nodes/ports.ts';
import { NodeSession } from '../../../src/nodes/session/node-session.ts';
import { SyncedClock } from '../../../src/nodes/session/synced-clock.ts';
import { Violation } from '../simulator/violation.ts';
import { Network, Unreachable } from './network.ts';
import type { SimulatedMachine } from './simulated-machine.ts';
import type { SkewedClock } from './skewed-clock.ts';
import type { World } from './world.ts';

const FORWARD_EVERY_MS = 20;
const FORWARD_WITHIN_MS = 2_000;
const START_AGAIN_MS = 1_000;

export class SimulatedProcess {
  readonly machine: SimulatedMachine;
  readonly world: World;
  readonly clock: SkewedClock;
  readonly synced: SyncedClock;
  readonly network: Network;
  readonly leases: Leases;
  readonly bank: LentBank;
  session: NodeSession | null = null;
  place: NodePlace | null = null;
  isDead = false;
  /** It takes no new calls. */
  isEnding = false;
  #isForwarding = false;
  readonly #asks: NodeBank;

  constructor(machine: SimulatedMachine, clock: SkewedClock) {
    const { world } = machine;
    this.machine = machine;
    this.world = world;
    this.clock = clock;
    this.synced = new SyncedClock(clock);
    this.network = new Network(world.clock, clock, world.random, (what) => world.saw(what));
    this.#asks = this.#overNetwork(world.bank);
    this.leases = new Leases({
      bank: this.#asks,
      mode: 'prepaid',
      clock: this.synced,
      maySpend: () => this.session?.maySpend === true,
      onProblem: (cause) => this.#problem(cause),
      onOver: () => this.session?.placeIsOver(),
    });
    this.bank = new LentBank({
      store: this.#store(),
      mode: 'prepaid',
      isWritable: () => true,
      funds: this.leases,
    });
  }

  /** Tries until the bank answers, as long as the process lives. */
  async start(): Promise<void> {
    this.machine.journal.recover();
    this.machine.journal.follows(this.world.timeline);
    while (!this.isDead && !(await this.#startOnce())) await this.#sleep(START_AGAIN_MS);
  }

  /** The end in order. */
  async end(): Promise<void> {
    this.isEnding = true;
    await this.session?.end();
    this.leases.stop();
  }

  die(): void {
    this.isDead = true;
    this.clock.die();
    this.leases.stop();
  }

  /** What a bank of another timeline does not have is sent again, and what was lent is void. */
  noteTimeline(): void {
    if (!this.machine.journal.follows(this.world.timeline)) return;
    this.session?.placeIsOver();
  }

  async #startOnce(): Promise<boolean> {
    try {
      const place = await this.#register();
      if (!(await this.#forwardAll(place, 10_000))) return false;
      await this.#close(place);
      this.place = place;
      const session = new NodeSession({
        storage: this.#storage(place),
        clock: this.clock,
        synced: this.synced,
        follower: { seq: 0, distrust: () => undefined, follow: async () => this.#follow() },
        onEvent: ({ type }) => this.world.saw(`session: ${type}`),
      });
      session.onPlace((next) => this.#begin(next));
      session.onPlaceLost(() => this.leases.drop());
      session.onPulse(({ recalls }) => this.leases.recalled(recalls));
      await session.start();
      if (this.isDead) return false;
      this.session = session;
      this.#begin(place);
      this.clock.every(FORWARD_EVERY_MS, () => void this.#forward());
      return true;
    } catch (error) {
      this.#problem(error);
      return false;
    }
  }

  async #close(place: NodePlace): Promise<void> {
    const { timeline } = this.world;
    await this.#asks.closeLeases(place);
    this.machine.closedOn = timeline;
  }

  #begin(place: NodePlace): void {
    this.place = place;
    this.leases.begin(place);
  }

  #follow(): boolean {
    this.machine.follow();
    return true;
  }

  async #register(): Promise<NodePlace> {
    const { id } = this.machine;
    const registered: Registration = await this.#asks.register({ id, fingerprint: id, name: id, version: 'simulated' });
    if (registered.refused !== null) throw new Error(`refused: ${registered.refused}`);
    return registered.place;
  }

  #storage(place: NodePlace): Pick<NodeStorage, 'bank' | 'place' | 'registerAgain' | 'unsent' | 'forwardAll'> {
    const { journal } = this.machine;
    return {
      bank: this.#asks,
      place,
      registerAgain: async () => {
        const next = await this.#register();
        await this.#close(next);
        this.place = next;
        return next;
      },
      get unsent() {
        return { calls: journal.unsentCalls, from: journal.unsentFrom };
      },
      forwardAll: (withinMs) => this.#forwardAll(this.place ?? place, withinMs),
    };
  }

  async #forwardAll(place: NodePlace, withinMs: number): Promise<boolean> {
    const endMs = this.clock.monotonic() + withinMs;
    while (this.machine.journal.outbox.length > 0 && this.clock.monotonic() < endMs && !this.isDead) {
      await this.#send(place).catch((error) => this.#problem(error));
      await this.#sleep(1);
    }
    return this.machine.journal.outbox.length === 0;
  }

  async #forward(): Promise<void> {
    if (this.#isForwarding || this.place === null) return;
    this.#isForwarding = true;
    await this.#send(this.place).catch((error) => this.#problem(error));
    this.#isForwarding = false;
  }

  async #send(place: NodePlace): Promise<void> {
    const { journal } = this.machine;
    const batches = journal.next();
    const [first] = batches;
    if (first === undefined) return;
    const encoded = batches.map((batch) => batch.encoded);
    const late = Promise.withResolvers<null>();
    const timer = this.clock.after(FORWARD_WITHIN_MS, () => late.resolve(null));
    const { timeline } = this.world;
    const answer = await Promise.race([this.#asks.settle(place, { epoch: first.epoch, encoded }), late.promise]);
    timer.cancel();
    // An answer of a bank that has lost what it answered for proves nothing.
    if (answer === null || timeline !== this.world.timeline || this.isDead) return;
    this.world.settled(answer);
    journal.taken(batches, this.clock.monotonic());
  }

  #overNetwork(bank: NodeBank): NodeBank {
    const ask = async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
      const answer = await this.network.ask(run);
      this.noteTimeline();
      return answer;
    };
    return {
      register: (node) => this.network.ask(() => bank.register(node)),
      pulse: (...asked) => ask(() => bank.pulse(...asked)),
      listen: (wake) => bank.listen(() => this.clock.arrives(wake)),
      lease: (...asked) => ask(() => bank.lease(...asked)),
      giveBack: (...asked) => ask(() => bank.giveBack(...asked)),
      settle: (...asked) => ask(() => this.#settle(...asked)),
      closeLeases: (place) => this.network.ask(() => bank.closeLeases(place), false),
      leave: (place) => this.network.ask(() => bank.leave(place), false),
      reap: (...asked) => ask(() => bank.reap(...asked)),
      nodes: () => ask(() => bank.nodes()),
      money: bank.money,
    };
  }

  /** As long as the bank has not lost what it knew, it has lent everything that the node's calls were charged. */
  async #settle(...asked: Parameters<NodeBank['settle']>): Promise<SettleAnswer> {
    const { world, machine } = this;
    const { faults } = world.bank;
    // The model does it at once.
    const answer = world.bank.settle(...asked);
    if (world.bank.faults > faults && machine.closedOn === world.timeline)
      world.fail(new Violation(`${machine.id} was charged more than it was lent`));
    return answer;
  }

  #store(): LedgerStore {
    const { world, machine } = this;
    const store = {
      commit: async (rows: readonly LedgerRow[]) => {
        await null;
        if (this.isDead) return new Promise<void>(() => undefined);
        machine.journal.write(rows);
      },
      post: (...asked: Parameters<LedgerStore['post']>) => this.network.ask(async () => world.post(asked[0], asked[1])),
    };
    return store as unknown as LedgerStore;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.after(ms, () => resolve()));
  }

  #problem(cause: unknown): void {
    const isExpected = cause instanceof Unreachable || (cause instanceof Error && /did not answer/.test(cause.message));
    if (isExpected) this.world.saw('bank not reached');
    else this.world.fail(cause);
  }
}
