/**
 * Writes an answer as a stream for a caller of the Messages API, such as Claude Code: indexes count up by one, each block ends exactly
 * once, and every event has its `event:` line, without which the official clients ignore it. An answer that fails ends with an `error`
 * event and no `message_stop`.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
import type { ReasoningName } from '../../../chat/request.ts';
import type { ChatEvent, Citation, Finish, OpenedBlock } from '../../../chat/response.ts';
import { type CallId, requestId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import type { Usage } from '../../../core/usage.ts';
import type { StreamWriter, WriteContext } from '../../interface/stream-writer.ts';
import { addHiddenThought } from '../../kit/answer/left-out-thoughts.ts';
import { WireIds } from '../../kit/request/wire-ids.ts';
import { writeStreamError } from '../errors/write-error.ts';
import { writeCitation } from './citation.ts';
import { NO_REASON, writeFinish } from './finish-reason.ts';
import { CITATION_PLACE, CITATION_WITHOUT_TEXT, IMAGE } from './losses.ts';
import { sealSignature } from './reasoning-tag.ts';
import { writeFinalUsage, writeStartUsage } from './write-usage.ts';

export function openWriter(context: WriteContext): StreamWriter {
  return new AnthropicMessagesWriter(context);
}

class AnthropicMessagesWriter implements StreamWriter {
  readonly #context: WriteContext;
  readonly #ids = new WireIds();
  #index = 0;
  #open: OpenBlock | null = null;
  #startUsage: Usage | null = null;
  #finish: Finish = NO_REASON;
  #calledTools = false;
  #refused = false;
  #over = false;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  event(event: ChatEvent): Buffer {
    if (this.#over) return NOTHING;
    if (event.type === 'error') {
      this.#over = true;
      return writeStreamError(event.error, requestId(this.#context.id as CallId));
    }
    const text = this.#write(event);
    return text === '' ? NOTHING : Buffer.from(text);
  }

  surround(event: ChatEvent): readonly Buffer[] | null {
    if (this.#open?.begun !== true) return null;
    switch (event.type) {
      case 'text':
        return surround(this.#textDelta(TEXT));
      case 'reasoning':
        return this.#context.showsReasoning ? surround(this.#delta({ type: 'thinking_delta', thinking: TEXT })) : null;
      case 'arguments':
        return surround(this.#delta({ type: 'input_json_delta', partial_json: TEXT }));
      default:
        return null;
    }
  }

  #write(event: Exclude<ChatEvent, { type: 'error' }>): string {
    switch (event.type) {
      case 'start':
        this.#startUsage = event.usage;
        return this.#messageStart(event.usage);
      case 'block_start':
        return this.#blockStart(event.block);
      case 'text':
        return event.text === '' ? '' : this.#begin() + this.#textDelta(event.text);
      case 'citation':
        return this.#citation(event.citation);
      case 'reasoning':
        return this.#reasoning(event.text);
      case 'signature':
        return this.#signature(event);
      case 'arguments':
        return event.json === '' ? '' : this.#delta({ type: 'input_json_delta', partial_json: event.json });
      case 'block_end':
        return this.#blockEnd();
      case 'finish':
        // Held back: its event also has the usage, which is final only at the end.
        this.#finish = event.finish;
        return '';
      case 'end':
        return this.#messageEnd(event.usage ?? this.#startUsage);
      case 'warning':
        return '';
    }
  }

  #messageStart(usage: Usage | null): string {
    const message = {
      id: `msg_${this.#context.id}`,
      type: 'message',
      role: 'assistant',
      model: this.#context.callerModel,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeStartUsage(usage),
    };
    return encode({ type: 'message_start', message });
  }

  #blockStart(block: OpenedBlock): string {
    this.#open = { first: firstOf(block, this.#ids), begun: false, citations: [], signature: '', origin: '', name: {} };
    switch (block.type) {
      case 'refusal':
        this.#refused = true;
        return '';
      case 'text':
        // An empty block would be refused when the caller sends it back: it begins with its first text.
        return '';
      case 'image':
        // It is not begun, so nothing is written at its end.
        this.#context.warnings.add(IMAGE);
        return '';
      case 'tool_call':
        this.#calledTools = true;
        return this.#begin();
      case 'reasoning':
        this.#open.origin = block.origin;
        this.#open.name = block;
        // Likewise a thought: it begins with its text or its signature.
        return block.encrypted === null ? '' : this.#begin();
    }
  }

  /** The start of the open block, unless it was written already. */
  #begin(): string {
    const open = this.#open;
    if (open === null || open.begun) return '';
    open.begun = true;
    const start = encode({ type: 'content_block_start', index: this.#index, content_block: open.first });
    return start + open.citations.map((citation) => this.#citation(citation)).join('');
  }

  #delta(delta: JsonObject): string {
    return encode({ type: 'content_block_delta', index: this.#index, delta });
  }

  /** By far the most common event: `#delta` inlined. */
  #textDelta(text: string): string {
    return `${TEXT_DELTA_HEAD}${this.#index},"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\n\n`;
  }

  #citation(citation: Citation): string {
    if (this.#open?.begun !== true) {
      this.#open?.citations.push(citation);
      return '';
    }
    if (citation.start !== null) this.#context.warnings.add(CITATION_PLACE);
    return this.#delta({ type: 'citations_delta', citation: writeCitation(citation) });
  }

  #reasoning(text: string): string {
    if (text === '') return '';
    addHiddenThought(this.#context);
    if (!this.#context.showsReasoning) return '';
    return this.#begin() + this.#delta({ type: 'thinking_delta', thinking: text });
  }

  /** Kept until the end of the block, where it belongs. */
  #signature({ signature, origin, id }: Extract<ChatEvent, { type: 'signature' }>): string {
    const open = this.#open;
    if (open === null) return '';
    this.#open = { ...open, signature, origin, name: id === undefined ? open.name : { ...open.name, id } };
    return '';
  }

  #blockEnd(): string {
    const open = this.#open;
    if (open === null) return '';
    const last = open.first['type'] === 'thinking' ? this.#sign(open) : '';
    this.#open = null;
    if (!open.begun) {
      if (open.citations.length > 0) this.#context.warnings.add(CITATION_WITHOUT_TEXT);
      return '';
    }
    const stop = encode({ type: 'content_block_stop', index: this.#index });
    this.#index += 1;
    return last + stop;
  }

  /** A caller sends every thinking block back with its signature, so each started block gets one, even if it is only a tag. */
  #sign(open: OpenBlock): string {
    if (!open.begun && open.signature === '') return '';
    const signature = sealSignature(open.origin, open.signature, open.name);
    return this.#begin() + this.#delta({ type: 'signature_delta', signature });
  }

  #messageEnd(usage: Usage | null): string {
    this.#over = true;
    const delta = writeFinish(this.#finish, { calledTools: this.#calledTools, refused: this.#refused });
    return encode({ type: 'message_delta', delta, usage: writeFinalUsage(usage) }) + encode({ type: 'message_stop' });
  }
}

interface OpenBlock {
  /** `content_block` of its start. */
  readonly first: JsonObject;
  /** Whether the start was written. */
  begun: boolean;
  /** Citations that came before the text. */
  readonly citations: Citation[];
  signature: string;
  origin: string;
  name: ReasoningName;
}

const NOTHING = Buffer.alloc(0);
/** Placeholder for a text. If it occurs elsewhere too, the parts do not add up to what was written. */
const TEXT = '\u0000';
const TEXT_JSON = JSON.stringify(TEXT);
const TEXT_DELTA_HEAD = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":';

function firstOf(block: OpenedBlock, ids: WireIds): JsonObject {
  switch (block.type) {
    case 'text':
    case 'refusal':
    case 'image':
      return { type: 'text', text: '' };
    case 'tool_call':
      return { type: 'tool_use', id: ids.call(block.id), name: block.name, input: {} };
    case 'reasoning':
      return block.encrypted === null
        ? { type: 'thinking', thinking: '', signature: '' }
        : { type: 'redacted_thinking', data: sealSignature(block.origin, block.encrypted, block) };
  }
}

function surround(written: string): readonly Buffer[] {
  return written.split(TEXT_JSON).map((part) => Buffer.from(part));
}

/** JSON has no line breaks, so an event is two lines and a blank one. */
function encode(payload: { readonly type: string } & JsonObject): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
}
