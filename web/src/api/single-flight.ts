/** A change that is requested twice is made once. */

export interface SingleFlight<Answer> {
  /** Starts it; while one with this name runs, further callers get the promise of the first. */
  run(name: string, start: () => Promise<Answer>): Promise<Answer>;
  /** The next one does not wait for the running one. */
  forget(): void;
}

/**
 * Decided at the click and not by what was rendered last: two clicks may arrive before the button
 * is rendered as disabled.
 */
export function singleFlight<Answer>(): SingleFlight<Answer> {
  const running = new Map<string, Promise<Answer>>();
  return {
    run(name, start) {
      const before = running.get(name);
      if (before !== undefined) return before;
      const started = start();
      running.set(name, started);
      const end = (): void => {
        if (running.get(name) === started) running.delete(name);
      };
      started.then(end, end);
      return started;
    },
    forget() {
      running.clear();
    },
  };
}
