/**
 * Puts the blocks of a stream one after the other. The format promises that no two are open at the same time, but servers that imitate it
 * interleave tool calls: the later block then waits until the earlier one has ended.
 */
import { BLOCKS_WAITING_MAX, holdEvent } from '../../../chat/hold-event.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { StreamBlock } from './stream-block.ts';

/** Every method returns the events that may be sent now, in order. */
export class BlockOrder {
  /** Blocks in the order they began; those before `#first` have been sent completely, and that one is being sent. */
  readonly #blocks: WaitingBlock[] = [];
  #first = 0;
  #begun = 0;
  /** Those that have not ended. */
  readonly #open = new Map<unknown, WaitingBlock>();

  get isEmpty(): boolean {
    return this.#first === this.#blocks.length;
  }

  /** Null when a block with this index is open already, or too many are. */
  begin(index: unknown, start: JsonObject, idPrefix: string): readonly ChatEvent[] | null {
    if (this.#open.has(index) || this.#blocks.length - this.#first >= BLOCKS_WAITING_MAX) return null;
    const block = new StreamBlock(start, `${idPrefix}_${this.#begun}`);
    this.#begun += 1;
    const waiting = { index, block, held: [], ended: false };
    this.#blocks.push(waiting);
    this.#open.set(index, waiting);
    return this.#pass(waiting, block.begin());
  }

  /** Null when no such block is open, or it cannot contain this delta. */
  delta(index: unknown, delta: JsonObject): readonly ChatEvent[] | null {
    const waiting = this.#open.get(index);
    const events = waiting?.block.delta(delta) ?? null;
    return waiting === undefined || events === null ? null : this.#pass(waiting, events);
  }

  /** Empty when the block has ended before: its call must not run twice. */
  end(index: unknown): readonly ChatEvent[] {
    const waiting = this.#open.get(index);
    return waiting === undefined ? NOTHING : this.#end(waiting);
  }

  endAll(): readonly ChatEvent[] {
    return [...this.#open.values()].flatMap((waiting) => this.#end(waiting));
  }

  #end(waiting: WaitingBlock): readonly ChatEvent[] {
    const events = [...this.#pass(waiting, waiting.block.end())];
    waiting.ended = true;
    this.#open.delete(waiting.index);
    while (this.#blocks[this.#first]?.ended === true) {
      this.#first += 1;
      const next = this.#blocks[this.#first];
      if (next === undefined) continue;
      for (const event of next.held) events.push(event);
      next.held.length = 0;
    }
    // Sent blocks are removed in batches: removing each one would shift all others every time.
    if (this.#first >= GONE_MAX && 2 * this.#first >= this.#blocks.length) {
      this.#blocks.splice(0, this.#first);
      this.#first = 0;
    }
    return events;
  }

  #pass(waiting: WaitingBlock, events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (waiting === this.#blocks[this.#first]) return events;
    for (const event of events) holdEvent(waiting.held, event);
    return NOTHING;
  }
}

interface WaitingBlock {
  /** As the provider wrote it. */
  readonly index: unknown;
  readonly block: StreamBlock;
  readonly held: ChatEvent[];
  ended: boolean;
}

const GONE_MAX = 1_000;
const NOTHING: readonly ChatEvent[] = [];
