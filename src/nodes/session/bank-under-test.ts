/** A bank that answers pulses as a test says, with its own time. */
import type { FeedChange } from '../../core/feed.ts';
import type { NodePlace, NodeStorage, Pulse, PulseRequest, PurseRef } from '../ports.ts';

export class BankUnderTest {
  place: NodePlace = { slot: 1, epoch: 1 };
  /** The epoch that the bank knows. */
  epoch = 1;
  /** Of the places that it gives from now on. */
  history: string | null = null;
  /** Of each registration, whether the database went back. */
  readonly wentBack: boolean[] = [];
  now: () => number;
  readonly pulses: PulseRequest[] = [];
  readonly reaped: number[] = [];
  readonly left: NodePlace[] = [];
  lost: readonly number[] = [];
  changes: readonly FeedChange[] | null = [];
  lastSeq = 0;
  hasGoneBack = false;
  recalls: readonly PurseRef[] = [];
  liveNodes = 2;
  isAway = false;
  isForwarded = true;
  refusesPlaces = false;
  /** How often a place was asked for. */
  asked = 0;
  cannotReap = false;
  cannotLeave = false;
  wake: () => void = () => undefined;
  unsent: NodeStorage['unsent'] = { calls: 0, from: null };
  /** Holds back answers until it is called; null answers at once. */
  #held: (() => void)[] | null = null;

  constructor(now: () => number) {
    this.now = now;
  }

  holdAnswers(): () => void {
    const held: (() => void)[] = [];
    this.#held = held;
    return () => {
      this.#held = null;
      for (const answer of held) answer();
    };
  }

  readonly storage = {
    bank: {
      pulse: (place: NodePlace, request: PulseRequest) => this.#pulse(place, request),
      listen: async (wake: () => void) => {
        this.wake = wake;
        return async () => undefined;
      },
      reap: async (_place: NodePlace, lostAfterMs: number) => {
        this.reaped.push(lostAfterMs);
        if (this.cannotReap) throw new Error('the lock is taken');
        return this.lost;
      },
      leave: async (place: NodePlace) => {
        if (this.cannotLeave) throw new Error('the database is away');
        this.left.push(place);
      },
    } as unknown as NodeStorage['bank'],
    registerAgain: async (hasGoneBack = false) => {
      this.asked += 1;
      if (this.isAway || this.refusesPlaces) throw new Error('there is no place');
      this.epoch += 1;
      this.wentBack.push(hasGoneBack);
      const { epoch, history } = this;
      this.place = { slot: 1, epoch, ...(history !== null && { history }) };
      return this.place;
    },
    forwardAll: async () => {
      if (this.isForwarded) this.unsent = { calls: 0, from: null };
      return this.isForwarded;
    },
  };

  parts(): Pick<NodeStorage, 'bank' | 'place' | 'registerAgain' | 'unsent' | 'forwardAll'> {
    const bank = this;
    return {
      ...this.storage,
      get place() {
        return bank.place;
      },
      get unsent() {
        return bank.unsent;
      },
    };
  }

  async #pulse(place: NodePlace, request: PulseRequest): Promise<Pulse> {
    this.pulses.push(request);
    const { isAway, changes, lastSeq, recalls, liveNodes, hasGoneBack } = this;
    const now = this.now();
    if (this.#held !== null) await new Promise<void>((resolve) => this.#held?.push(resolve));
    if (isAway) throw new Error('the database is away');
    const isMine = place.epoch === this.epoch;
    return { isMine, ...(hasGoneBack && { hasGoneBack }), now, liveNodes, lastSeq, changes, recalls };
  }
}
