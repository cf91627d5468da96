/**
 * Turns the events of an answer into the items of this format, and the stream's events about them. An item ends when the next one begins, or
 * with the answer: only then is it known whether it is complete.
 */
import type { ChatEvent, OpenedBlock } from '../../../chat/response.ts';
import { addWarning } from '../../../chat/warnings.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { addHiddenThought } from '../../kit/answer/left-out-thoughts.ts';
import type { AnswerNeeds } from '../request/answer-needs.ts';
import type { ToolOrigin } from '../request/read-tools.ts';
import { CallItem } from './call-item.ts';
import { ImageItem } from './image-item.ts';
import { CITATION_WITHOUT_TEXT } from './losses.ts';
import { MessageItem } from './message-item.ts';
import { ThoughtItem } from './thought-item.ts';
import type { Allocate, ItemStatus, OpenItem, WireEvent } from './wire-event.ts';

export class AnswerItems {
  /** The items that have ended. */
  readonly output: object[] = [];
  hasRefusal = false;
  readonly #context: WriteContext;
  readonly #origins: ReadonlyMap<string, ToolOrigin>;
  readonly #ids = new Set<string>();
  #next = 0;
  #open: OpenItem | null = null;
  /** Whether a block is open. */
  #isInside = false;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#origins = new Map((context.forAnswer as AnswerNeeds | undefined)?.tools);
  }

  event(event: ChatEvent): readonly WireEvent[] {
    const open = this.#open;
    switch (event.type) {
      case 'block_start':
        return this.#start(event.block);
      case 'text':
        return open instanceof MessageItem ? open.text(event.text) : [];
      case 'citation':
        if (open instanceof MessageItem) return open.citation(event.citation);
        addWarning(this.#context.warnings, CITATION_WITHOUT_TEXT);
        return [];
      case 'reasoning':
        if (event.text !== '') addHiddenThought(this.#context);
        return open instanceof ThoughtItem ? open.text(event.text) : [];
      case 'signature':
        if (open instanceof ThoughtItem) open.sign(event);
        return [];
      case 'arguments':
        return open instanceof CallItem ? open.more(event.json) : [];
      case 'block_end':
        return this.#end();
      default:
        return [];
    }
  }

  /** Ends the open item. */
  close(status: ItemStatus): readonly WireEvent[] {
    const inside = this.#isInside ? this.#end() : [];
    const closed = this.#open?.close(status) ?? null;
    this.#open = null;
    if (closed === null) return inside;
    this.output.push(closed.item);
    return [...inside, ...closed.events];
  }

  #start(block: OpenedBlock): readonly WireEvent[] {
    const open = this.#open;
    this.#isInside = true;
    if (block.type === 'reasoning') {
      if (open instanceof ThoughtItem && open.continuesWith(block)) {
        open.add(block);
        return [];
      }
      const events = this.#closeBefore();
      this.#open = new ThoughtItem(block, this.#context.showsReasoning, this.#allocate);
      return events;
    }
    if (block.type === 'tool_call') {
      const events = this.#closeBefore();
      const call = new CallItem(block, this.#origins.get(block.name), this.#allocate);
      this.#open = call;
      return [...events, call.added()];
    }
    if (block.type === 'image') {
      const events = this.#closeBefore();
      const image = new ImageItem(block, this.#allocate);
      this.#open = image;
      return [...events, ...image.added()];
    }
    this.hasRefusal ||= block.type === 'refusal';
    const isMessage = open instanceof MessageItem;
    const events = isMessage ? [] : this.#closeBefore();
    const message = isMessage ? open : new MessageItem(this.#allocate);
    message.openPart(block.type);
    this.#open = message;
    return events;
  }

  /** What another item follows was written to its end. */
  #closeBefore(): readonly WireEvent[] {
    this.#isInside = false;
    const events = this.close('completed');
    this.#isInside = true;
    return events;
  }

  #end(): readonly WireEvent[] {
    const open = this.#open;
    this.#isInside = false;
    if (open instanceof MessageItem) return open.closePart();
    if (open instanceof CallItem) return open.end();
    return open instanceof ThoughtItem ? open.endText() : [];
  }

  /** A vendor's own id is kept, unless two items would have it. */
  readonly #allocate: Allocate = (prefix, own) => {
    const index = this.#next;
    this.#next += 1;
    const id = own === undefined || this.#ids.has(own) ? `${prefix}_${this.#context.id}_${index}` : own;
    this.#ids.add(id);
    return { id, index };
  };
}
