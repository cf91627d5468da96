import { open } from 'node:fs/promises';

/** Syncs the journal's write-ahead log to the disk, off the event loop; those who ask during a sync share the next one. */
export class LogSync {
  readonly #path: string;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /** `path` is that of the database. */
  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** Resolves when everything that was written before the call is on the disk. */
  sync(): Promise<void> {
    if (this.#running === null) return this.#start();
    this.#next ??= this.#running.then(
      () => this.#startNext(),
      () => this.#startNext(),
    );
    return this.#next;
  }

  #startNext(): Promise<void> {
    this.#next = null;
    return this.#start();
  }

  #start(): Promise<void> {
    this.#running = syncFile(this.#path).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
