/**
 * Edits the answers of a relayed call: the model becomes the string the caller sent, `usage.cost` is
 * added, and who did not ask for usage gets the stream as OpenRouter's clients expect it: no
 * `usage: null`, and one last usage chunk with one empty choice; a whole answer says which provider served it. What is not JSON
 * passes as it came.
 *
 * Most chunks of a stream differ in their text only: these are put together from parts that were
 * edited once, see `TextChunkPatch`.
 */

import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { Frame } from '../../../wire/frame.ts';
import { isSpace } from '../../../wire/json-grammar.ts';
import { type Edit, splice } from '../../../wire/json-splice.ts';
import { encodeSse } from '../../../wire/sse.ts';
import type { AnswerContext, FramePatcher } from '../../interface/frame-patcher.ts';
import type { Peek } from '../../interface/peek.ts';
import { modelJson, providerField } from '../../kit/relay/model-json.ts';
import { placeOfDone } from '../answer/done-event.ts';
import { ChunkLayout } from './chunk-layout.ts';
import { TextChunkPatch } from './text-chunk-patch.ts';
import { WholeAnswerPatcher } from './whole-answer-patcher.ts';

export function openPatcher(peek: Peek, context: AnswerContext): FramePatcher {
  if (peek.stream) return new OpenAiPatcher(peek.wantsUsage, context);
  return new WholeAnswerPatcher(context, () => new OpenAiPatcher(peek.wantsUsage, context));
}

class OpenAiPatcher implements FramePatcher {
  readonly #wantsUsage: boolean;
  readonly #context: AnswerContext;
  /** The caller's model as JSON text. */
  readonly #model: Buffer;
  readonly #layout = new ChunkLayout();
  readonly #textChunks = new TextChunkPatch();
  readonly #usageCursor = new FieldCursor();
  isRepeatable = false;

  constructor(wantsUsage: boolean, context: AnswerContext) {
    this.#wantsUsage = wantsUsage;
    this.#context = context;
    this.#model = modelJson(context.callerModel).bytes;
  }

  frame(frame: Frame): Buffer | null {
    const { bytes, data, dataStart } = frame;
    this.isRepeatable = false;
    if (data === null) return bytes;
    if (dataStart >= 0) {
      const patched = this.#textChunks.patch(bytes);
      if (patched === null && isSpace(data[0] ?? 0)) return this.#patchBlank(frame, data);
      if (patched === null) return this.#patchChunk(bytes, dataStart, dataStart + data.length);
      this.isRepeatable = true;
      return patched;
    }
    if (isSpace(data[0] ?? 0) && placeOfDone(data) > 0) return encodeSse(frame.event, '[DONE]');
    const patched = splice(data, this.#edits(data, 0, data.length, !this.#wantsUsage));
    return patched === data ? bytes : encodeSse(frame.event, patched.toString('utf8'));
  }

  repeat(raw: Buffer, into: Buffer, at: number): number {
    return this.#textChunks.patchInto(raw, into, at);
  }

  get repeatedTextBytes(): number {
    return this.#textChunks.textBytes;
  }

  body(body: Buffer): Buffer {
    return splice(body, this.#edits(body, 0, body.length, false, true));
  }

  /** A client knows the last event only without white space before its word. */
  #patchBlank({ bytes, dataStart }: Frame, data: Buffer): Buffer {
    const end = placeOfDone(data);
    if (end === -1) return this.#patchChunk(bytes, dataStart, dataStart + data.length);
    return splice(bytes, [{ start: dataStart, end: dataStart + end, insert: NOTHING }]);
  }

  #patchChunk(raw: Buffer, start: number, end: number): Buffer {
    const edits = this.#edits(raw, start, end, !this.#wantsUsage);
    const { usageStart } = this.#layout;
    // A usage is priced anew each time; every other edit is the same on every chunk that is like this one.
    if (usageStart === -1 || raw[usageStart] === LETTER_N) this.#textChunks.learn(raw, start, end, edits);
    return splice(raw, edits);
  }

  /** In the order of their place; none where the bytes are no object. */
  #edits(bytes: Buffer, start: number, end: number, unasked: boolean, isWhole = false): readonly Edit[] {
    const layout = this.#layout;
    const edits: Edit[] = [];
    if (!layout.read(bytes, start, end)) return edits;
    if (layout.modelStart !== -1 && !this.#isCallersModel(bytes)) {
      edits.push({ start: layout.modelStart, end: layout.modelEnd, insert: this.#model });
    }
    if (isWhole && layout.modelStart !== -1 && !layout.hasProvider && this.#context.provider !== undefined) {
      const insert = Buffer.from(providerField(this.#context.provider), 'latin1');
      edits.push({ start: layout.modelEnd, end: layout.modelEnd, insert });
    }
    if (layout.usageStart !== -1) this.#editUsage(bytes, unasked, edits);
    return edits.length < 2 ? edits : edits.sort(byPlace);
  }

  #isCallersModel(bytes: Buffer): boolean {
    const { modelStart, modelEnd } = this.#layout;
    if (modelEnd - modelStart !== this.#model.length) return false;
    return bytes.compare(this.#model, 0, this.#model.length, modelStart, modelEnd) === 0;
  }

  #editUsage(bytes: Buffer, unasked: boolean, edits: Edit[]): void {
    const layout = this.#layout;
    const first = bytes[layout.usageStart];
    if (first === LETTER_N) {
      if (unasked) edits.push({ start: layout.usageCutStart, end: layout.usageCutEnd, insert: NOTHING });
    } else if (first === OPEN_BRACE) {
      const cost = this.#costEdit(bytes);
      if (cost !== null) edits.push(cost);
      if (unasked && layout.choicesEmpty) {
        edits.push({ start: layout.choicesStart, end: layout.choicesEnd, insert: EMPTY_CHOICE });
      }
    }
  }

  /** A cost that is there already is what the operator paid upstream: the caller's takes its place, or `null`. */
  #costEdit(bytes: Buffer): Edit | null {
    const { usageStart, usageEnd } = this.#layout;
    const cost = this.#context.cost();
    const cursor = this.#usageCursor;
    let empty = true;
    cursor.open(bytes, usageStart, usageEnd);
    while (cursor.next()) {
      empty = false;
      if (cursor.keyIs(COST)) {
        return { start: cursor.valueStart, end: cursor.valueEnd, insert: Buffer.from(cost ?? 'null') };
      }
    }
    if (cost === null || cursor.broken) return null;
    return { start: usageEnd - 1, end: usageEnd - 1, insert: Buffer.from(`${empty ? '' : ','}"cost":${cost}`) };
  }
}

const NOTHING = Buffer.alloc(0);
const COST = Buffer.from('"cost"');
const EMPTY_CHOICE = Buffer.from('[{"index":0,"delta":{},"finish_reason":null}]');
const LETTER_N = 0x6e;
const OPEN_BRACE = 0x7b;

function byPlace(left: Edit, right: Edit): number {
  return left.start - right.start;
}
