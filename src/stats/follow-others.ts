/** While somebody follows calls at this node, the recorder learns what other nodes record: a reading twice a second, and none otherwise. */
import type { Clock } from '../core/clock.ts';
import type { OthersReader, OthersRecords } from './ports.ts';
import type { Recorder } from './recorder.ts';

export interface FollowOthersParts {
  readonly recorder: Pick<Recorder, 'learn' | 'onFollowed'>;
  readonly others: OthersRecords;
  readonly clock: Clock;
}

const PERIOD_MS = 500;
/** Who follows asks more often. */
const UNASKED_MS = 10_000;

export function followOthers({ recorder, others, clock }: FollowOthersParts, closing: AsyncDisposableStack): void {
  let askedAt = 0;
  let isRunning = false;
  let isClosed = false;
  let reading: Promise<void> = Promise.resolve();
  const read = async (news: OthersReader) => {
    try {
      const { records, isComplete } = await news();
      if (!isComplete) recorder.learn(null);
      for (const record of records) recorder.learn(record);
    } catch {
      // The database is away, which others report. The next reading has what this one did not.
    }
  };
  const round = (news: OthersReader) => {
    if (isClosed || clock.monotonic() - askedAt > UNASKED_MS) {
      isRunning = false;
      return;
    }
    reading = read(news).then(() => void clock.after(PERIOD_MS, () => round(news)));
  };
  const followed = () => {
    askedAt = clock.monotonic();
    if (isRunning || isClosed) return;
    isRunning = true;
    round(others.read());
  };
  recorder.onFollowed = followed;
  closing.defer(async () => {
    isClosed = true;
    await reading;
  });
}
