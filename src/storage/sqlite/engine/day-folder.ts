/** A folder of day files: which days exist, which are open, and how much space they use. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dayOf, dayText } from '../../../core/calendar.ts';
import type { DayFile } from '../records/day-file.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { Gate } from './gate.ts';

const SUFFIX = '.db';
/** Of `2026-11-24`. */
const DATE_LENGTH = 10;
const NAME = /^\d{4}-\d{2}-\d{2}\.db$/;
/** Calls that run past midnight still belong to the day they were admitted on. */
const OPEN_FILES_MAX = 3;

/** The database of a day. */
export interface DayDatabase {
  readonly path: string;
  /** Shared with the checkpointer. */
  readonly gate: Gate;
  close(): void;
}

export class DayFolder<File extends DayDatabase = DayFile> {
  readonly #path: string;
  readonly #checkpointer: Checkpointer;
  readonly #openFile: (path: string) => File;
  readonly #open = new Map<number, File>();

  /** `openFile` creates the file if it does not exist. */
  constructor(path: string, checkpointer: Checkpointer, openFile: (path: string) => File) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.#path = path;
    this.#checkpointer = checkpointer;
    this.#openFile = openFile;
  }

  /** The days that have files, oldest first. */
  days(): number[] {
    const names = readdirSync(this.#path).filter((name) => NAME.test(name));
    return names.map((name) => dayOf(Date.parse(name.slice(0, -SUFFIX.length)))).sort((left, right) => left - right);
  }

  /** Opens the file of a day, creating it if necessary, and registers it with the checkpointer. */
  async open(day: number): Promise<File> {
    const known = this.#open.get(day);
    if (known !== undefined) return known;
    const file = this.#openFile(this.#filePath(day));
    this.#open.set(day, file);
    this.#checkpointer.watch(file.path, file.gate);
    for (const old of [...this.#open.keys()].sort((left, right) => left - right)) {
      if (this.#open.size <= OPEN_FILES_MAX) break;
      if (old !== day) await this.#close(old);
    }
    return file;
  }

  /** The file of a day, if it is open. */
  opened(day: number): File | undefined {
    return this.#open.get(day);
  }

  /** The size of each day on disk, including logs, oldest first. */
  sizes(): ReadonlyMap<number, number> {
    const sizes = new Map(this.days().map((day) => [day, 0]));
    for (const name of readdirSync(this.#path)) {
      const day = dayOf(Date.parse(name.slice(0, DATE_LENGTH)));
      const bytes = sizes.get(day);
      if (bytes !== undefined)
        sizes.set(day, bytes + (statSync(join(this.#path, name), { throwIfNoEntry: false })?.size ?? 0));
    }
    return sizes;
  }

  async remove(day: number): Promise<void> {
    await this.#close(day);
    for (const ending of ['', '-wal', '-shm']) rmSync(this.#filePath(day) + ending, { force: true });
  }

  async close(): Promise<void> {
    for (const day of [...this.#open.keys()]) await this.#close(day);
  }

  async #close(day: number): Promise<void> {
    const file = this.#open.get(day);
    if (file === undefined) return;
    this.#open.delete(day);
    await this.#checkpointer.forget(file.path);
    file.close();
  }

  #filePath(day: number): string {
    return join(this.#path, dayText(day) + SUFFIX);
  }
}
