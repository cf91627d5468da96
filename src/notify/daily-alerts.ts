/**
 * Emails that something needs a person, in the background: once a day for the same thing, and some twenty a day to the same people. What the
 * mail server does not take is sent again later. In memory: a start begins afresh.
 */
import type { Clock, Timer } from '../core/clock.ts';

export interface Alert {
  /** What it is about; the same again within a day is not sent. */
  readonly id: string;
  /** Whose trouble it is: of each group a number of alerts a day. */
  readonly group: string;
  readonly subject: string;
  readonly text: string;
  /** Addresses of email. */
  recipients(): Promise<readonly string[]>;
}

export interface DailyAlertsParts {
  /** Null if no mail server is configured: then nothing is sent. */
  readonly mailer: { send(mail: { to: string; subject: string; text: string }): Promise<void> } | null;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Receives what could not be sent, without its text. Must not throw. */
  readonly onProblem: (cause: unknown) => void;
}

const DAY_MS = 86_400_000;
const PER_GROUP_MAX = 20;
/** Of all groups; beyond, the oldest is forgotten, and may be sent again. */
const KEPT_MAX = 10_000;
const AGAIN_AFTER_MS = [60_000, 600_000, 3_600_000] as const;

export class DailyAlerts {
  readonly #parts: DailyAlertsParts;
  /** By id, the oldest first. */
  readonly #sent = new Map<string, { readonly at: number; readonly group: string }>();
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Set<Timer>();
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: DailyAlertsParts) {
    this.#parts = parts;
  }

  /** Returns at once. */
  alert(about: Alert): void {
    const { mailer, clock } = this.#parts;
    if (mailer === null || this.#isClosed) return;
    const now = clock.monotonic();
    this.#forget(now);
    const { id, group } = about;
    const count = this.#counts.get(group) ?? 0;
    if (this.#sent.has(id) || count >= PER_GROUP_MAX) return;
    this.#sent.set(id, { at: now, group });
    this.#counts.set(group, count + 1);
    this.#run(about, null, 0);
  }

  /** Sends nothing more, and waits a short time for what is being sent. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#waiting) timer.cancel();
    const over = Promise.withResolvers<void>();
    const timer = this.#parts.clock.after(patienceMs, over.resolve);
    await Promise.race([Promise.all(this.#running), over.promise]);
    timer.cancel();
  }

  /** `left`: who has not got it; null before they are known. */
  #run(about: Alert, left: readonly string[] | null, tries: number): void {
    const running = this.#send(about, left).then((failed) => {
      const afterMs = AGAIN_AFTER_MS[tries];
      if (failed?.length === 0 || afterMs === undefined || this.#isClosed) return;
      const timer = this.#parts.clock.after(afterMs, () => {
        this.#waiting.delete(timer);
        this.#run(about, failed, tries + 1);
      });
      this.#waiting.add(timer);
    });
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Those who have not got it; null if the recipients cannot be read. Never rejects. */
  async #send({ subject, text, recipients }: Alert, left: readonly string[] | null): Promise<readonly string[] | null> {
    const { mailer, onProblem } = this.#parts;
    try {
      const failed: string[] = [];
      const send = (to: string) =>
        mailer?.send({ to, subject, text }).catch((error: unknown) => {
          failed.push(to);
          onProblem(error);
        });
      await Promise.all((left ?? (await recipients())).map(send));
      return failed;
    } catch (error) {
      onProblem(error);
      return null;
    }
  }

  #forget(now: number): void {
    for (const [id, { at, group }] of this.#sent) {
      if (now - at < DAY_MS && this.#sent.size < KEPT_MAX) return;
      this.#sent.delete(id);
      const left = (this.#counts.get(group) ?? 0) - 1;
      if (left > 0) this.#counts.set(group, left);
      else this.#counts.delete(group);
    }
  }
}
