/**
 * What this node has found out and others may want to know, and what they have: advice, of bounded size, that a node can do without. No call
 * waits for it.
 */
import type { Clock } from '../../core/clock.ts';
import { FairSlots } from '../../core/fair-slots.ts';
import { FirstWorking, type WayChange } from '../../limits/sharing/first-working.ts';
import { Rounds } from '../../limits/sharing/rounds.ts';
import type { NoticeBoard, PostedNotice } from './ports.ts';

/** Of a round; an owner, such as an account, has at most half of what the others leave. */
const POSTED_MAX = 200;
/** Of a round; the rest is ignored. */
const READ_MAX = 1_000;
const BODY_LENGTH_MAX = 1_000;
const SENDER_LENGTH_MAX = 100;
const ANSWER_MS = 1_000;
const PERIOD_MS = 1_000;

export type NoticeListener = (value: unknown, sender: string) => void;

export interface NoticesParts {
  /** The best first. */
  readonly boards: readonly NoticeBoard[];
  readonly clock: Clock;
  /** Who this node is to the others. */
  readonly sender: string;
  readonly onChange: (change: WayChange) => void;
}

export class Notices {
  readonly #parts: NoticesParts;
  readonly #ways: FirstWorking<NoticeBoard>;
  /** By topic and subject: a later one takes the place of an earlier one. */
  readonly #waiting = new Map<string, string>();
  #slots = new FairSlots(POSTED_MAX);
  readonly #listeners = new Map<string, NoticeListener>();
  readonly #rounds: Rounds;

  constructor(parts: NoticesParts) {
    const { boards, clock, onChange } = parts;
    this.#parts = parts;
    this.#ways = new FirstWorking({ ways: boards, clock, answerMs: ANSWER_MS, onChange });
    const periodMs = () => this.#ways.current?.periodMs ?? PERIOD_MS;
    this.#rounds = new Rounds({ clock, run: () => this.#exchange(), periodMs });
  }

  /** Whose notice it is decides how many may wait. One too many, or too long, is not posted. */
  post(topic: string, subject: string, value: unknown, owner: unknown = null): void {
    const key = `${topic} ${subject}`;
    // First, because it is cheap: a flood of notices must cost no more than those that are posted.
    if (!this.#waiting.has(key) && this.#slots.take(owner) === null) return;
    const body = JSON.stringify([topic, value]);
    if (body.length <= BODY_LENGTH_MAX) this.#waiting.set(key, body);
  }

  /** The value may be anything: the listener checks it, and must not throw. */
  on(topic: string, listener: NoticeListener): void {
    this.#listeners.set(topic, listener);
  }

  start(): void {
    this.#rounds.start();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  /** One round. Never rejects; what could not be posted is dropped. */
  exchange(): Promise<void> {
    return this.#rounds.next();
  }

  async #exchange(): Promise<void> {
    const bodies = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#slots = new FairSlots(POSTED_MAX);
    const read = await this.#ways.attempt((board) => board.exchange(this.#parts.sender, bodies));
    for (const notice of read?.slice(0, READ_MAX) ?? []) this.#deliver(notice);
  }

  #deliver({ sender, body }: PostedNotice): void {
    // No node posts one that is longer.
    if (body.length > BODY_LENGTH_MAX || sender.length > SENDER_LENGTH_MAX) return;
    let read: unknown;
    try {
      read = JSON.parse(body);
    } catch {
      // It is not from a node of this program.
      return;
    }
    if (!Array.isArray(read) || typeof read[0] !== 'string') return;
    this.#listeners.get(read[0])?.(read[1], sender);
  }
}
