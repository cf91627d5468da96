/** One life of a node: the real session, leases and bank of a node, over its journal and a network to the model of the bank. */
import { LentBank } from '../../../src/billing/lent/lent-bank.ts';
import type { LedgerRow, LedgerStore } from '../../../src/billing/ports.ts';
import { SETTINGS } from '../../../src/nodes/contract/test-node.ts';
import { Leases } from '../../../src/nodes/leases.ts';
import type { NodeBank, NodePlace, NodeStorage, SettleAnswer } from '../../../src/nodes/ports.ts';
import { NodeSession } from '../../../src/nodes/session/node-session.ts';
import { SyncedClock } from '../../../src/nodes/session/synced-clock.ts';
import { openNodeStorage } from '../../../src/storage/journal/node-storage.ts';
import { Violation } from '../simulator/violation.ts';
import { Network, Unreachable } from './network.ts';
import type { SimulatedMachine } from './simulated-machine.ts';
import { SimulatedSender } from './simulated-sender.ts';
import type { SkewedClock } from './skewed-clock.ts';
import type { World } from './world.ts';

const START_AGAIN_MS = 1_000;
/** Of a bank that is away; a process that starts then ends, and is started again. */
const AWAY = /did not answer|takes none of the \d+ settlements/;

export class SimulatedProcess {
  readonly machine: SimulatedMachine;
  readonly world: World;
  readonly clock: SkewedClock;
  readonly synced: SyncedClock;
  readonly network: Network;
  readonly leases: Leases;
  readonly bank: LentBank;
  session: NodeSession | null = null;
  isDead = false;
  /** It takes no new calls. */
  isEnding = false;
  readonly #asks: NodeBank;
  readonly #sender: SimulatedSender;
  #storage: NodeStorage | null = null;

  constructor(machine: SimulatedMachine, clock: SkewedClock) {
    const { world } = machine;
    this.machine = machine;
    this.world = world;
    this.clock = clock;
    this.synced = new SyncedClock(clock);
    this.network = new Network(world.clock, clock, world.random, (what) => world.saw(what));
    this.#asks = this.#overNetwork(world.bank);
    this.#sender = new SimulatedSender(machine, clock, (cause) => this.#problem(cause));
    this.leases = new Leases({
      bank: this.#asks,
      mode: 'prepaid',
      clock: this.synced,
      maySpend: () => this.session?.maySpend === true,
      onProblem: (cause) => this.#problem(cause),
      onAnswered: () => undefined,
      onOver: () => this.session?.placeIsOver(),
    });
    this.bank = new LentBank({
      store: this.#store(),
      mode: 'prepaid',
      isWritable: () => true,
      funds: this.leases,
    });
  }

  get place(): NodePlace | null {
    return this.#storage?.place ?? null;
  }

  /** Tries until the bank answers, as long as the process lives. */
  async start(): Promise<void> {
    this.machine.journal.recover();
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

  async #startOnce(): Promise<boolean> {
    try {
      const storage = await openNodeStorage({
        ...{ journal: this.#sender, bank: this.#asks, clock: this.clock },
        ...{ name: this.machine.id, version: 'simulated', settings: SETTINGS },
        history: () => this.network.ask(async () => this.world.history),
        isRefusal: () => false,
        onProblem: ({ type }) => this.world.saw(`storage: ${type}`),
      });
      const session = new NodeSession({
        storage,
        clock: this.clock,
        synced: this.synced,
        follower: { seq: 0, distrust: () => undefined, follow: async () => this.#follow() },
        onEvent: ({ type }) => this.world.saw(`session: ${type}`),
      });
      session.onPlace((place) => this.leases.begin(place));
      session.onPlaceLost(() => this.leases.drop());
      session.onPulse(({ recalls }) => this.leases.recalled(recalls));
      storage.onHistoryChange(() => session.placeIsOver());
      await session.start();
      if (this.isDead) return false;
      this.#storage = storage;
      this.session = session;
      if (session.place !== null) this.leases.begin(session.place);
      return true;
    } catch (error) {
      this.#problem(error);
      return false;
    }
  }

  #follow(): boolean {
    this.machine.follow();
    return true;
  }

  /** As PostgreSQL does it: a server with another history than a place does nothing for it. */
  #overNetwork(bank: NodeBank): NodeBank {
    const { world, machine } = this;
    const isHere = ({ history }: NodePlace) => history === world.history;
    const within = async <Answer>(place: NodePlace, run: () => Promise<Answer>): Promise<Answer> => {
      if (!isHere(place)) throw new Unreachable('another history');
      return run();
    };
    const ask = this.network.ask.bind(this.network);
    return {
      register: (node) =>
        ask(async () => {
          const answer = await bank.register(node);
          if (answer.refused !== null) return answer;
          return { ...answer, place: { ...answer.place, history: world.history } };
        }),
      pulse: (place, request) =>
        ask(async () => {
          const pulse = await bank.pulse(place, request);
          return { ...pulse, isMine: pulse.isMine && isHere(place) };
        }),
      noteSettings: (place, settings) => ask(() => bank.noteSettings(place, settings)),
      listen: (wake) => bank.listen(() => this.clock.arrives(wake)),
      lease: (place, ...asked) =>
        ask(async () => (isHere(place) ? bank.lease(place, ...asked) : { isOver: true as const })),
      giveBack: (place, returned) =>
        ask(async () => (isHere(place) ? bank.giveBack(place, returned) : returned.map(() => true))),
      settle: (place, batch) => ask(() => within(place, () => this.#settle(place, batch))),
      closeLeases: (place) =>
        ask(() =>
          within(place, async () => {
            await bank.closeLeases(place);
            // The place of a registration that arrived twice is over, and nothing was closed.
            if (world.bank.state.nodes.get(place.slot)?.epoch === place.epoch) machine.closedOn = world.timeline;
          }),
        ),
      leave: (place) => ask(() => within(place, () => bank.leave(place)), false),
      reap: (place, lostAfterMs) => ask(async () => (isHere(place) ? bank.reap(place, lostAfterMs) : [])),
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
    const isExpected = cause instanceof Unreachable || (cause instanceof Error && AWAY.test(cause.message));
    if (isExpected) this.world.saw('bank not reached');
    else this.world.fail(cause);
  }
}
