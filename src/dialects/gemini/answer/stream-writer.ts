/**
 * Writes an answer as a stream: each event is an answer of its own with the new parts, a call is whole in one part, and the last event has
 * the finish reason and the usage. Without it clients take the stream as broken, so an answer that fails has none.
 *
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
import type { ReasoningBlock } from '../../../chat/request.ts';
import type { ChatEvent, Citation, Finish, OpenedBlock } from '../../../chat/response.ts';
import { type CallId, requestId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import type { Usage } from '../../../core/usage.ts';
import type { StreamWriter, WriteContext } from '../../interface/stream-writer.ts';
import { addHiddenThought } from '../../kit/answer/left-out-thoughts.ts';
import { ToolInputs } from '../../kit/answer/tool-input.ts';
import { writeStreamError } from '../errors/write-error.ts';
import { EVENT_END, EVENT_START, encodeEvent } from './encode-event.ts';
import { writeBlock, writeFinish } from './finish-reason.ts';
import { CITATION_PLACE, PAUSED } from './losses.ts';
import { PendingThoughts } from './pending-thoughts.ts';
import { writeGrounding } from './write-grounding.ts';
import { answerNames, imagePart, signed } from './write-response.ts';
import { writeUsage } from './write-usage.ts';

export function openWriter(context: WriteContext): StreamWriter {
  return new GeminiWriter(context);
}

class GeminiWriter implements StreamWriter {
  readonly #context: WriteContext;
  readonly #pending: PendingThoughts;
  readonly #inputs = new ToolInputs();
  readonly #citations: Citation[] = [];
  /** What precedes and follows the text of a part that is only text. */
  readonly #textStart: string;
  readonly #textEnd: string;
  #open: OpenBlock | null = null;
  /** The last call, which waits for what follows: the last event of an answer has a part, as Google's has. */
  #held: JsonObject | null = null;
  #startUsage: Usage | null = null;
  #finish: Finish = NO_REASON;
  #refused = false;
  #isEmpty = true;
  #over = false;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#pending = new PendingThoughts(context.showsReasoning);
    const [start = '', end = ''] = this.#json({ parts: [{ text: TEXT }] }).split(TEXT_JSON, 2);
    this.#textStart = EVENT_START + start;
    this.#textEnd = end + EVENT_END;
  }

  event(event: ChatEvent): Buffer {
    if (this.#over) return NOTHING;
    switch (event.type) {
      case 'start':
        this.#startUsage = event.usage;
        return NOTHING;
      case 'block_start':
        return this.#blockStart(event.block);
      case 'text':
        return this.#text(event.text);
      case 'reasoning':
        return this.#reasoning(event.text);
      case 'signature':
        if (this.#open?.thought != null)
          this.#open.thought = { ...this.#open.thought, signature: event.signature, ...named(event) };
        return NOTHING;
      case 'arguments':
        this.#open?.pieces.push(event.json);
        return NOTHING;
      case 'citation':
        this.#citations.push(event.citation);
        return NOTHING;
      case 'block_end':
        return this.#blockEnd();
      case 'finish':
        this.#finish = event.finish;
        return NOTHING;
      case 'end':
        this.#over = true;
        return this.#end(event.usage ?? this.#startUsage);
      case 'error':
        this.#over = true;
        return writeStreamError(event.error, requestId(this.#context.id as CallId));
      case 'warning':
        return NOTHING;
    }
  }

  /** Thoughts are not written without being read: the signature after them needs their words. */
  surround(event: ChatEvent): readonly Buffer[] | null {
    if (event.type !== 'text' || this.#open?.begun !== true) return null;
    return [Buffer.from(this.#textStart), Buffer.from(this.#textEnd)];
  }

  #blockStart(block: OpenedBlock): Buffer {
    if (block.type === 'refusal') this.#refused = true;
    this.#open = { block, begun: false, pieces: [], thought: block.type === 'reasoning' ? thoughtOf(block) : null };
    if (block.type !== 'image') return NOTHING;
    this.#isEmpty = false;
    return this.#event({ ...imagePart(block), ...signed(this.#pending.signatureFor('text')) });
  }

  #text(text: string): Buffer {
    if (text === '' || this.#open === null) return NOTHING;
    this.#isEmpty = false;
    const signature = this.#open.begun ? null : this.#pending.signatureFor('text');
    this.#open.begun = true;
    if (signature !== null || this.#held !== null) return this.#event({ text, ...signed(signature) });
    return Buffer.from(this.#textStart + JSON.stringify(text) + this.#textEnd);
  }

  #reasoning(text: string): Buffer {
    const thought = this.#open?.thought ?? null;
    if (text === '' || thought === null) return NOTHING;
    this.#open?.pieces.push(text);
    addHiddenThought(this.#context);
    return this.#context.showsReasoning ? this.#event({ text, thought: true }) : NOTHING;
  }

  #blockEnd(): Buffer {
    const open = this.#open;
    this.#open = null;
    if (open === null) return NOTHING;
    const { block, pieces, thought } = open;
    if (thought !== null) this.#pending.add({ ...thought, text: pieces.join('') });
    if (block.type !== 'tool_call') return NOTHING;
    this.#isEmpty = false;
    const json = pieces.join('');
    const functionCall = { id: block.id, name: block.name, args: this.#inputs.read(json) ?? { _raw: json } };
    const part = { functionCall, ...signed(this.#pending.signatureFor('call')) };
    const before = this.#held;
    this.#held = part;
    return before === null ? NOTHING : encodeEvent(this.#json({ parts: [before] }));
  }

  #end(usage: Usage | null): Buffer {
    const { warnings } = this.#context;
    if (this.#finish.reason === 'paused') warnings.add(PAUSED);
    if (this.#citations.some(({ start }) => start !== null)) warnings.add(CITATION_PLACE);
    const traits = { refused: this.#refused, isEmpty: this.#isEmpty };
    const feedback = writeBlock(this.#finish, traits);
    const last = {
      ...(feedback === null && { content: { parts: this.#lastParts(), role: 'model' } }),
      ...writeFinish(this.#finish, traits),
      index: 0,
      ...(this.#citations.length > 0 && {
        groundingMetadata: writeGrounding(this.#citations.map((citation) => ({ citation, place: null }))),
      }),
    };
    const answer = {
      candidates: [last],
      ...(feedback !== null && { promptFeedback: feedback }),
      ...(usage !== null && { usageMetadata: writeUsage(usage) }),
      ...answerNames(this.#context),
    };
    return encodeEvent(JSON.stringify(answer));
  }

  /** Never empty: `@google/genai` forgets a turn with an event that has no part. */
  #lastParts(): readonly JsonObject[] {
    const signature = this.#pending.signatureFor('text');
    const held = this.#held === null ? [] : [this.#held];
    return held.length > 0 && signature === null ? held : [...held, { text: '', ...signed(signature) }];
  }

  /** A part, after the call that waits. */
  #event(part: JsonObject): Buffer {
    const parts = this.#held === null ? [part] : [this.#held, part];
    this.#held = null;
    return encodeEvent(this.#json({ parts }));
  }

  #json({ parts }: { readonly parts: readonly JsonObject[] }): string {
    return JSON.stringify({
      candidates: [{ content: { parts, role: 'model' }, index: 0 }],
      ...answerNames(this.#context),
    });
  }
}

interface OpenBlock {
  readonly block: OpenedBlock;
  /** Whether some of its text was written. */
  begun: boolean;
  /** Of its arguments, or of its words if it is a thought. */
  readonly pieces: string[];
  thought: ReasoningBlock | null;
}

const NOTHING = Buffer.alloc(0);
/** Placeholder for a text: no name of a model and no id has it. */
const TEXT = '\u0000';
const TEXT_JSON = JSON.stringify(TEXT);
const NO_REASON: Finish = { reason: 'blank', stopSequence: null, native: null, explanation: null };

function thoughtOf({ encrypted, origin, id, summary }: Extract<OpenedBlock, { type: 'reasoning' }>): ReasoningBlock {
  return {
    type: 'reasoning',
    text: '',
    signature: null,
    encrypted,
    origin,
    ...(id !== undefined && { id }),
    ...(summary !== undefined && { summary }),
  };
}

function named({ origin, id }: Extract<ChatEvent, { type: 'signature' }>) {
  return { origin, ...(id !== undefined && { id }) };
}
