/** Notices of nodes, in a stream of Valkey. */
import type { NoticeBoard, PostedNotice } from '../../nodes/notices/ports.ts';
import type { Valkey } from './valkey.ts';

const PERIOD_MS = 250;

export class ValkeyNotices implements NoticeBoard {
  readonly name = 'valkey';
  readonly periodMs = PERIOD_MS;
  readonly #valkey: Valkey;
  /** The id of the last one that was read. */
  #last = '';

  constructor(valkey: Valkey) {
    this.#valkey = valkey;
  }

  get place(): string {
    return this.#valkey.place;
  }

  async exchange(sender: string, bodies: readonly string[]): Promise<readonly PostedNotice[]> {
    const answer = await this.#valkey.run('exchangeNotices', ['notices'], [sender, this.#last, ...bodies]);
    const [last, notices] = Array.isArray(answer) ? answer : [];
    if (typeof last !== 'string' || !Array.isArray(notices)) throw new Error('Valkey answered something else');
    this.#last = last;
    return notices.flatMap((notice: unknown) => {
      const [by, body] = Array.isArray(notice) ? notice : [];
      return typeof by === 'string' && typeof body === 'string' && by !== sender ? [{ sender: by, body }] : [];
    });
  }
}
