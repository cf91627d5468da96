/** A change that is asked for twice is made once. */

export interface SingleFlight<Answer> {
  /** Starts it; while one with this name runs, whoever asks again gets the promise of the first. */
  run(name: string, start: () => Promise<Answer>): Promise<Answer>;
  /** The next one does not wait for what runs now. */
  forget(): void;
}

/**
 * Decided in the moment of the click and not by what was drawn last: two clicks may come before the button that they
 * meet is drawn as disabled.
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
