/**
 * Whose password is hashed next. Hashing is the dearest thing that anybody may ask for, so that two run at once, one of
 * them for strangers, and a bounded number waits. People who are known here, by a browser in which they signed in before, a
 * session or a link, wait among themselves: strangers, however many they are, do not keep them out. Within each lane an
 * owner has at most half of the places that the others leave free.
 */
import { GatewayError } from '../core/errors.ts';
import { FairRoom } from '../core/fair-room.ts';
import { networkOf } from '../core/network.ts';

/** For whom a password is hashed. */
export interface Hasher {
  readonly lane: 'known' | 'strangers';
  /** Whose place it takes: the person or link that is known, or a stranger's network. */
  readonly owner: string;
}

/** Whoever asks from an address, of which nothing else is known. */
export function strangerAt(address: string | null): Hasher {
  return { lane: 'strangers', owner: address === null ? '' : networkOf(address) };
}

const RUNNING_MAX = 2;
const STRANGERS_RUNNING_MAX = 1;
/** Running or waiting in a lane: about a second's worth for one that runs two, twice as much for strangers. */
const LANE_MAX = 34;

interface Lane {
  readonly room: FairRoom;
  readonly waiting: (() => void)[];
  running: number;
}

export class HashTurns {
  readonly #lanes: Readonly<Record<Hasher['lane'], Lane>> = { known: newLane(), strangers: newLane() };

  /** What `work` resolves to, or its error. Throws `shedding` when too many of the lane, or of the owner, wait. */
  async run<Result>({ lane: name, owner }: Hasher, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#lanes[name];
    const leave = lane.room.take(owner);
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

  /** Strangers wait while one of them runs; who is known waits for a second place while strangers do. */
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
  return { room: new FairRoom(LANE_MAX), waiting: [], running: 0 };
}

function tooMany(): GatewayError {
  return new GatewayError('shedding', {
    message: 'Too many people are signing in at this moment; try again shortly.',
    retryAfterSeconds: 2,
  });
}
