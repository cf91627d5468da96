/** What daily limits start from when the program starts: the requests of the current day, from the ledger. */
import type { LimiterParts } from './limiter.ts';

interface CountedDay {
  /** UTC days since 1970. */
  readonly day: number;
  readonly callsToday: number;
}

/** By id; one without calls is absent. */
export interface CountedDays {
  readonly keys: ReadonlyMap<number, CountedDay>;
  readonly projects: ReadonlyMap<number, CountedDay>;
  readonly accounts: ReadonlyMap<number, CountedDay>;
}

export function requestsBefore(counted: CountedDays, today: number): LimiterParts['requestsToday'] {
  const { keys: key, projects: project, accounts: account } = counted;
  const scopes = { key, project, account };
  return (scope, id) => {
    const found = scopes[scope].get(id);
    return found?.day === today ? found.callsToday : 0;
  };
}
