/**
 * Puts the pieces of an answer into blocks that come one after the other. A piece that does not belong to the open block closes it and
 * opens the next, and is not lost. Only a tool call cannot be closed by what follows it, because more of its arguments may arrive: until
 * their object has ended, or the answer has, all later blocks wait.
 */

import { BLOCKS_WAITING_MAX, holdEvent } from '../../../chat/hold-event.ts';
import { type ReasoningName, UNKNOWN_REASONING } from '../../../chat/request.ts';
import type { ChatEvent, Citation, OpenedBlock } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { AnswerCall, makeCallId } from '../../kit/answer/answer-call.ts';
import { KnownProofs } from './known-proofs.ts';
import type { CallPiece, Piece } from './read-pieces.ts';

export class BlockOrder {
  sawCall = false;
  sawRefusal = false;
  sawAny = false;
  readonly #whole: boolean;
  #events: ChatEvent[] = [];
  /** The block at `#first` is open; those after it wait. */
  readonly #queue: Block[] = [];
  #first = 0;
  /** The last call under each index. */
  readonly #byIndex = new Map<number, Block>();
  #lastCall: Block | null = null;
  readonly #ids = new Set<string>();
  /** Some servers, such as this gateway, repeat them at the end of a stream. */
  readonly #proofs = new KnownProofs();
  /** Citations that arrived while no text was open: they belong to the next one. */
  #citations: Citation[] = [];

  /** `whole`: the pieces are of a whole answer, in which each entry of `tool_calls` is a separate call. */
  constructor(whole: boolean) {
    this.#whole = whole;
  }

  /** Throws `bad_gateway` for a piece that is not valid at this point. */
  add(piece: Piece): void {
    switch (piece.type) {
      case 'text':
      case 'refusal':
        return this.#addText(piece.type, piece.text);
      case 'reasoning': {
        const block = this.#reasoningFor(piece, null);
        return this.#emit(block, { type: 'reasoning', text: piece.text });
      }
      case 'signature': {
        const { signature, origin, id } = piece;
        const last = this.#queue.at(-1);
        const isRepeated = this.#proofs.knows(signature) && !(last !== undefined && continues(last, piece, signature));
        if (isRepeated) return;
        const block = this.#reasoningFor(piece, signature);
        const author =
          origin === UNKNOWN_REASONING && block.opened?.type === 'reasoning' ? block.opened.origin : origin;
        block.signature = { type: 'signature', signature, origin: author, ...(id !== undefined && { id }) };
        return;
      }
      case 'encrypted':
        if (this.#proofs.knows(piece.data)) return;
        this.#push(new Block({ type: 'reasoning', encrypted: piece.data, ...whoseOf(piece) }, null, null));
        return;
      case 'image':
        this.#push(new Block(piece, null, null));
        return;
      case 'citation':
        return this.#addCitation(piece.citation);
      case 'call':
        return this.#addCall(piece);
      case 'warning':
        // Not part of a block, so it need not wait.
        this.#events.push(piece);
    }
  }

  /** The answer has ended. Pieces that still arrive open new blocks. Throws `bad_gateway` for a call without a name. */
  close(): void {
    if (this.#citations.length > 0) this.#addText('text', '');
    for (const block of this.#queue.slice(this.#first)) {
      this.#open(block);
      this.#close(block);
    }
    this.#queue.length = 0;
    this.#first = 0;
  }

  /** The events that have become due since the last call. */
  take(): ChatEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #addText(type: 'text' | 'refusal', text: string): void {
    let block = this.#queue.at(-1);
    if (block?.opened?.type !== type) {
      block = new Block({ type }, null, null);
      this.#push(block);
    }
    if (type === 'refusal') this.sawRefusal = true;
    if (text !== '') this.#emit(block, { type: 'text', text });
    if (type !== 'text' || this.#citations.length === 0) return;
    for (const citation of this.#citations) this.#emit(block, { type: 'citation', citation });
    this.#citations = [];
  }

  #addCitation(citation: Citation): void {
    const block = this.#queue.at(-1);
    if (block?.opened?.type === 'text') this.#emit(block, { type: 'citation', citation });
    else this.#citations.push(citation);
  }

  /** The last block if the piece continues it, otherwise a new one. */
  #reasoningFor(piece: ThoughtPiece, signature: string | null): Block {
    const last = this.#queue.at(-1);
    if (last !== undefined && continues(last, piece, signature)) return last;
    const block = new Block({ type: 'reasoning', encrypted: null, ...whoseOf(piece) }, piece.index, null);
    this.#push(block);
    return block;
  }

  #addCall(piece: CallPiece): void {
    const known = this.#whole ? null : this.#knownCall(piece);
    const hasContent = piece.id !== null || piece.name !== null || piece.json !== '';
    // Some vendors end with an empty entry.
    if (known === null && !hasContent) return;
    const block = known ?? this.#newCall(piece);
    const call = block.call as AnswerCall;
    if (call.name === null && piece.name !== null) {
      call.name = piece.name;
      block.opened = { type: 'tool_call', id: call.id, name: piece.name };
      if (block === this.#queue[this.#first]) this.#open(block);
    }
    if (piece.json !== '') this.#addArguments(block, call, piece.json);
  }

  #addArguments(block: Block, call: AnswerCall, json: string): void {
    if (block.state === 'closed') {
      if (json.trim() === '') return;
      throw broken('The provider sent more arguments for a tool call that had already ended.');
    }
    const due = call.add(json);
    if (due !== '') this.#emit(block, { type: 'arguments', json: due });
    this.#advance();
  }

  /** The call that a piece continues, if any; without an index it can only be the last one. */
  #knownCall(piece: CallPiece): Block | null {
    const block = piece.index === null ? this.#lastCall : (this.#byIndex.get(piece.index) ?? null);
    const call = block?.call ?? null;
    return call !== null && goesOn(call, piece) ? block : null;
  }

  #newCall({ index, id, custom }: CallPiece): Block {
    const free = id !== null && !this.#ids.has(id);
    const call = new AnswerCall(index, id, free ? id : makeCallId(), custom);
    this.#ids.add(call.id);
    const block = new Block(null, null, call);
    this.#lastCall = block;
    if (index !== null) this.#byIndex.set(index, block);
    this.sawCall = true;
    this.#push(block);
    return block;
  }

  #push(block: Block): void {
    this.sawAny = true;
    this.#queue.push(block);
    this.#advance();
    if (this.#queue.length - this.#first > BLOCKS_WAITING_MAX)
      throw broken('The provider sent too many blocks before a tool call ended.');
  }

  /** Closes blocks that can be closed while others wait, and opens the next. */
  #advance(): void {
    let first = this.#queue[this.#first];
    while (first !== undefined && this.#queue.length > this.#first + 1 && first.mayClose()) {
      this.#open(first);
      this.#close(first);
      this.#first += 1;
      first = this.#queue[this.#first];
    }
    if (first !== undefined && first.opened !== null) this.#open(first);
    // Sent blocks are removed in batches: removing each one would shift all others every time.
    if (this.#first < GONE_MAX || 2 * this.#first < this.#queue.length) return;
    this.#queue.splice(0, this.#first);
    this.#first = 0;
  }

  #emit(block: Block, event: ChatEvent): void {
    if (block.state === 'open') this.#events.push(event);
    else holdEvent(block.held, event);
  }

  #open(block: Block): void {
    if (block.state !== 'waiting') return;
    if (block.opened === null) throw broken('The provider sent a tool call without a name.');
    block.state = 'open';
    this.#events.push({ type: 'block_start', block: block.opened });
    for (const event of block.held) this.#events.push(event);
    block.held.length = 0;
  }

  #close(block: Block): void {
    if (block.signature !== null) this.#events.push(block.signature);
    const json = block.call?.rest() ?? '';
    if (json !== '') this.#events.push({ type: 'arguments', json });
    this.#events.push({ type: 'block_end' });
    block.state = 'closed';
  }
}

const GONE_MAX = 1_000;

class Block {
  /** Null for a call whose name has not arrived yet. */
  opened: OpenedBlock | null;
  /** For reasoning: its index in OpenRouter's list. */
  readonly index: number | null;
  readonly call: AnswerCall | null;
  state: 'waiting' | 'open' | 'closed' = 'waiting';
  readonly held: ChatEvent[] = [];
  /** Sent at the end of the block, whenever it arrived. */
  signature: Extract<ChatEvent, { type: 'signature' }> | null = null;

  constructor(opened: OpenedBlock | null, index: number | null, call: AnswerCall | null) {
    this.opened = opened;
    this.index = index;
    this.call = call;
  }

  mayClose(): boolean {
    return this.call === null || (this.opened !== null && this.call.isComplete());
  }
}

type ThoughtPiece = Extract<Piece, { readonly type: 'reasoning' | 'signature' | 'encrypted' }>;

function whoseOf({ origin, id, summary }: ThoughtPiece): { readonly origin: string } & ReasoningName {
  return { origin, ...(id !== undefined && { id }), ...(summary === true && { summary }) };
}

function continues(block: Block, { index, origin, id }: ThoughtPiece, signature: string | null): boolean {
  const { opened } = block;
  if (opened?.type !== 'reasoning' || opened.encrypted !== null) return false;
  if (id !== undefined && opened.id !== undefined && id !== opened.id) return false;
  if (index !== null && block.index !== null && index !== block.index) return false;
  if (origin !== opened.origin && origin !== UNKNOWN_REASONING && opened.origin !== UNKNOWN_REASONING) return false;
  // A signature ends a thought; some vendors repeat it.
  return block.signature === null || signature === block.signature.signature;
}

/**
 * Ids decide if there are any: some servers give every call the index 0. Without one, a name begins a call, unless a vendor merely repeats
 * it: then the arguments have not ended, or the piece has none.
 */
function goesOn(call: AnswerCall, { index, id, name, json }: CallPiece): boolean {
  if (id !== null && call.wireId !== null && id !== call.wireId) return false;
  const mayRepeat = name === null || call.name === null || (name === call.name && (json === '' || !call.isComplete()));
  if (id !== null && call.wireId === id) return mayRepeat || index !== null;
  // From here on one of the two has no id: a late id does not begin a call, unless it comes with a name.
  if (id !== null) return index !== null && (name === null || call.name === null);
  return mayRepeat && (index !== null || name === null);
}

function broken(message: string): GatewayError {
  return new GatewayError('bad_gateway', { message });
}
