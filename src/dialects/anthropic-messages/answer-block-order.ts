/**
 * Puts the blocks of a stream one after the other. The format promises that no two are open at once, but
 * servers that imitate it mix tool calls: then the later block waits until the earlier one has ended.
 */
import type { ChatEvent } from '../../chat/response.ts';
import { StreamBlock } from './answer-stream-block.ts';
import type { JsonObject } from './json-object.ts';

/** Every method gives the events that may go out now, in order. */
export class BlockOrder {
  /** Blocks that have not gone out whole; the first one is going out. */
  readonly #waiting: WaitingBlock[] = [];
  #begun = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Null when such a block is open already. */
  begin(index: unknown, start: JsonObject, idPrefix: string): readonly ChatEvent[] | null {
    if (this.#find(index) !== null) return null;
    const block = new StreamBlock(start, `${idPrefix}_${this.#begun}`);
    const waiting = { index, block, held: [], ended: false };
    this.#begun += 1;
    this.#waiting.push(waiting);
    return this.#pass(waiting, block.begin());
  }

  /** Null when no such block is open, or it cannot hold this. */
  delta(index: unknown, delta: JsonObject): readonly ChatEvent[] | null {
    const waiting = this.#find(index);
    const events = waiting?.block.delta(delta) ?? null;
    return waiting === null || events === null ? null : this.#pass(waiting, events);
  }

  /** Nothing when the block has ended before: its call must not run twice. */
  end(index: unknown): readonly ChatEvent[] {
    const waiting = this.#find(index);
    return waiting === null ? NOTHING : this.#end(waiting);
  }

  endAll(): readonly ChatEvent[] {
    const open = this.#waiting.filter(({ ended }) => !ended);
    return open.flatMap((waiting) => this.#end(waiting));
  }

  #end(waiting: WaitingBlock): readonly ChatEvent[] {
    const events = [...this.#pass(waiting, waiting.block.end())];
    waiting.ended = true;
    while (this.#waiting[0]?.ended === true) {
      this.#waiting.shift();
      events.push(...(this.#waiting[0]?.held ?? NOTHING));
    }
    return events;
  }

  #pass(waiting: WaitingBlock, events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (waiting === this.#waiting[0]) return events;
    waiting.held.push(...events);
    return NOTHING;
  }

  #find(index: unknown): WaitingBlock | null {
    return this.#waiting.find((waiting) => waiting.index === index && !waiting.ended) ?? null;
  }
}

interface WaitingBlock {
  /** As the provider wrote it. */
  readonly index: unknown;
  readonly block: StreamBlock;
  readonly held: ChatEvent[];
  ended: boolean;
}

const NOTHING: readonly ChatEvent[] = [];
