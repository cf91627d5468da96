/**
 * Answers that equal requests get again, in memory only: a restart forgets them, and no answer is written to a disk. What is kept is bounded
 * in bytes. If there is too much, the answer that was used longest ago is dropped, of the project with the most in the account with the most: so
 * no account loses answers within an equal share, however many projects another has, and no project of an account within an equal part of it.
 */
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { Recording } from './recording.ts';

/** What an answer takes in addition to its body, in bytes. */
const ENTRY_BYTES = 1024;
/** At most this part of the space is used by answers that are still being recorded. */
const RECORDING_PART = 4;

interface Entry {
  readonly answer: KeptAnswer;
  /** Monotonic ms. */
  readonly storedAt: number;
  readonly expiresAt: number;
}

/** The answers to equal requests, by how they are sent. */
type Slot = Map<string, Entry>;

/** The answers of one project by key; the one used last is the last. */
interface Shelf {
  readonly room: Room;
  readonly project: ProjectId;
  readonly slots: Map<string, Slot>;
  bytes: number;
}

/** The shelves of one account. */
interface Room {
  readonly account: AccountId;
  readonly shelves: Set<Shelf>;
  /** The one with the most when they were last compared. */
  largest: Shelf | null;
  bytes: number;
}

export interface Found {
  readonly answer: KeptAnswer;
  /** Since it was stored. */
  readonly ageMs: number;
}

/** Whose answer it is: a key, as far as it matters here. */
export interface CachedFor {
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
}

export interface ResponseCacheParts {
  /** The space for all answers; 0 keeps none. */
  readonly bytesMax: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export class ResponseCache {
  readonly #bytesMax: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #shelves = new Map<ProjectId, Shelf>();
  /** The first call of each key whose answer is being recorded. */
  readonly #running = new Map<string, Recording>();
  readonly #rooms = new Map<AccountId, Room>();
  /** The one with the most when they were last compared. */
  #largest: Room | null = null;
  #bytes = 0;
  #recorded = 0;

  constructor({ bytesMax, clock }: ResponseCacheParts) {
    this.#bytesMax = bytesMax;
    this.#clock = clock;
  }

  /** Bytes of kept answers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of answers that are being recorded. */
  get recordingBytes(): number {
    return this.#recorded;
  }

  /** The space for all answers. */
  get bytesMax(): number {
    return this.#bytesMax;
  }

  get isOff(): boolean {
    return this.#bytesMax === 0;
  }

  /** The answer in this form that is at most `maxAgeMs` old, or null. */
  find(project: ProjectId, key: string, form: string, maxAgeMs: number): Found | null {
    return this.#find(project, key, (other) => other === form, maxAgeMs);
  }

  /** The same in any other form. */
  findOther(project: ProjectId, key: string, form: string, maxAgeMs: number): Found | null {
    return this.#find(project, key, (other) => other !== form, maxAgeMs);
  }

  /** The call with this key that is running and may soon have an answer to give; null without one. */
  runningWith(key: string): Recording | null {
    return this.#running.get(key) ?? null;
  }

  /** Begins to record the answer of a call. Others with its key may wait for it. */
  record({ accountId, projectId }: CachedFor, key: string, maxAgeMs: number): Recording {
    const recording: Recording = new Recording({
      takes: (bytes) => this.#takes(bytes),
      gives: (bytes) => {
        this.#recorded -= bytes;
      },
      ended: (answer) => {
        if (answer !== null) this.#store(this.#shelfOf(accountId, projectId), key, answer, maxAgeMs);
        if (this.#running.get(key) === recording) this.#running.delete(key);
      },
    });
    if (!this.#running.has(key)) this.#running.set(key, recording);
    return recording;
  }

  #takes(bytes: number): boolean {
    if (this.#recorded + bytes > this.#bytesMax / RECORDING_PART) return false;
    this.#recorded += bytes;
    return true;
  }

  #find(project: ProjectId, key: string, isWanted: (form: string) => boolean, maxAgeMs: number): Found | null {
    const shelf = this.#shelves.get(project);
    const slot = shelf?.slots.get(key);
    if (shelf === undefined || slot === undefined) return null;
    const nowMs = this.#clock.monotonic();
    for (const [form, { answer, storedAt, expiresAt }] of slot) {
      if (nowMs >= expiresAt) {
        this.#drop(shelf, key, slot, form);
        continue;
      }
      const ageMs = nowMs - storedAt;
      if (!isWanted(form) || ageMs > maxAgeMs) continue;
      shelf.slots.delete(key);
      shelf.slots.set(key, slot);
      return { answer, ageMs };
    }
    return null;
  }

  /** Not yet one of the others if it is empty. */
  #shelfOf(account: AccountId, project: ProjectId): Shelf {
    const known = this.#shelves.get(project);
    if (known !== undefined) return known;
    const room = this.#rooms.get(account) ?? { account, shelves: new Set<Shelf>(), largest: null, bytes: 0 };
    return { room, project, slots: new Map<string, Slot>(), bytes: 0 };
  }

  #store(shelf: Shelf, key: string, answer: KeptAnswer, maxAgeMs: number): void {
    if (sizeOf(answer) > this.#bytesMax) return;
    const { project, room } = shelf;
    const slot = shelf.slots.get(key) ?? new Map<string, Entry>();
    this.#drop(shelf, key, slot, answer.form);
    const storedAt = this.#clock.monotonic();
    slot.set(answer.form, { answer, storedAt, expiresAt: storedAt + maxAgeMs });
    shelf.slots.delete(key);
    shelf.slots.set(key, slot);
    this.#shelves.set(project, shelf);
    this.#rooms.set(room.account, room);
    room.shelves.add(shelf);
    room.bytes += sizeOf(answer);
    shelf.bytes += sizeOf(answer);
    this.#bytes += sizeOf(answer);
    while (this.#bytes > this.#bytesMax) this.#dropOldest();
  }

  #dropOldest(): void {
    const shelf = this.#overShare();
    for (const [key, slot] of shelf.slots) {
      for (const form of slot.keys()) this.#drop(shelf, key, slot, form);
      return;
    }
  }

  /** A project with an equal part or more, of an account with more than an equal share; one exists while there is too much. */
  #overShare(): Shelf {
    if (this.#largest === null || this.#largest.bytes <= this.#bytesMax / this.#rooms.size)
      this.#largest = largestOf(this.#rooms.values());
    const room = this.#largest;
    if (room.largest === null || room.largest.bytes < room.bytes / room.shelves.size)
      room.largest = largestOf(room.shelves);
    return room.largest;
  }

  #drop(shelf: Shelf, key: string, slot: Slot, form: string): void {
    const entry = slot.get(form);
    if (entry === undefined) return;
    slot.delete(form);
    const { room } = shelf;
    room.bytes -= sizeOf(entry.answer);
    shelf.bytes -= sizeOf(entry.answer);
    this.#bytes -= sizeOf(entry.answer);
    if (slot.size === 0) shelf.slots.delete(key);
    if (shelf.slots.size > 0) return;
    this.#shelves.delete(shelf.project);
    room.shelves.delete(shelf);
    if (room.shelves.size === 0) this.#rooms.delete(room.account);
  }
}

function largestOf<Part extends { readonly bytes: number }>(parts: Iterable<Part>): Part {
  let largest: Part | null = null;
  for (const part of parts) if (largest === null || part.bytes > largest.bytes) largest = part;
  assert(largest !== null, 'something is kept while there is too much');
  return largest;
}

function sizeOf({ body }: KeptAnswer): number {
  return body.length + ENTRY_BYTES;
}
