/**
 * Tasks of one kind that become ready in one turn of the event loop, run together right after that turn has taken in
 * everything that had arrived. Requests and answers arrive mixed; run one by one, each step of a call would find the
 * processor's caches full of the others' code and tables. (Larus and Parkes, "Using cohort scheduling to enhance server
 * performance", USENIX 2002.) A task that is alone loses nothing: the loop turns at once.
 */
export interface Task {
  /** Must not throw: the other tasks of the turn run after it. */
  run(): void;
}

export class TurnQueue {
  #tasks: Task[] = [];

  /** `run` is called once, in the order of joining; there is no leaving. */
  join(task: Task): void {
    if (this.#tasks.push(task) === 1) setImmediate(this.#runAll);
  }

  readonly #runAll = (): void => {
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) task.run();
  };
}
