/**
 * Schedules password hashing, the most expensive work that anybody can request: two run concurrently, at most one of them for strangers,
 * and a bounded number waits. Known people (by a browser in which they signed in before, a session or a link) have a separate queue, so any
 * number of strangers cannot block them. In each lane an owner has at most half of the capacity that the others leave free.
 */
import { GatewayError } from '../core/errors.ts';
import { FairSlots } from '../core/fair-slots.ts';
import { networkOf } from '../core/network.ts';

/** The lane and owner of a hash. */
export interface Hasher {
  readonly lane: 'known' | 'strangers';
  /** Whose share it uses: the known person or link, or a stranger's network. */
  readonly owner: string;
}

/** An unknown caller, identified only by an address. */
export function strangerAt(address: string | null): Hasher {
  return { lane: 'strangers', owner: address === null ? '' : networkOf(address) };
}

const RUNNING_MAX = 2;
const STRANGERS_RUNNING_MAX = 1;
/** Running or waiting in a lane: about one second of work if two run, two seconds for strangers. */
const LANE_MAX = 34;

interface Lane {
  readonly capacity: FairSlots;
  readonly waiting: (() => void)[];
  running: number;
}

export class HashTurns {
  readonly #lanes: Readonly<Record<Hasher['lane'], Lane>> = { known: newLane(), strangers: newLane() };

  /** Runs `work` in turn and returns its result. Throws `shedding` if too many of the lane, or of the owner, wait. */
  async run<Result>({ lane: name, owner }: Hasher, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#lanes[name];
    const leave = lane.capacity.take(owner);
    if (leave === null) throw tooMany();
    const mayRun = new Promise<void>((resolve) => lane.waiting.push(resolve));
    this.#start();
    await mayRun;
    try {
      return await work();
    } finally {
      lane.running -= 1;
      leave();
      this.#start();
    }
  }

  /** One stranger runs at a time; while strangers wait, so does a second known person. */
  #start(): void {
    const { known, strangers } = this.#lanes;
    for (;;) {
      const isFull = known.running + strangers.running >= RUNNING_MAX;
      const strangerWaits = strangers.waiting.length > 0 && strangers.running < STRANGERS_RUNNING_MAX;
      if (isFull || (known.waiting.length === 0 && !strangerWaits)) return;
      const lane = strangerWaits && (known.waiting.length === 0 || known.running > 0) ? strangers : known;
      lane.running += 1;
      lane.waiting.shift()?.();
    }
  }
}

function newLane(): Lane {
  return { capacity: new FairSlots(LANE_MAX), waiting: [], running: 0 };
}

function tooMany(): GatewayError {
  return new GatewayError('shedding', {
    message: 'Too many people are signing in right now; try again shortly.',
    retryAfterSeconds: 2,
  });
}
