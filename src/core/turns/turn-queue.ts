/**
 * Tasks of one kind that become ready in one turn of the event loop and run together right after that turn has read
 * everything that had arrived. Requests and answers arrive mixed; run one by one, each step of a call would find the
 * processor's caches full of other code and data. (Larus and Parkes, "Using cohort scheduling to enhance server
 * performance", USENIX 2002.) A single task loses nothing: the next turn begins immediately.
 */
export interface Task {
  /** Must not throw: the other tasks of the turn run after it. */
  run(): void;
}

export class TurnQueue {
  #tasks: Task[] = [];

  /** `run` is called once, in the order of joining; a task cannot be removed. */
  join(task: Task): void {
    if (this.#tasks.push(task) === 1) setImmediate(this.#runAll);
  }

  readonly #runAll = (): void => {
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) task.run();
  };
}
