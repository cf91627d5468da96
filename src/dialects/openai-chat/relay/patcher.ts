/**
 * Edits the answers of a relayed call: the model becomes the string that the caller sent, `usage.cost` is added, and a caller that did not
 * ask for usage gets the stream as OpenRouter's clients expect it: no `usage: null`, and one last usage chunk with one empty choice; a
 * whole answer names the provider that served it. What is not JSON passes unchanged.
 */

import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { isSpace } from '../../../wire/json-grammar.ts';
import { type Edit, splice } from '../../../wire/json-splice.ts';
import type { FrameEditor, FrameRecipe } from '../../interface/frame-editor.ts';
import type { RelayContext } from '../../interface/relay.ts';
import { EditedFrames } from '../../kit/relay/edited-frames.ts';
import { modelJson, providerField } from '../../kit/relay/model-json.ts';
import type { TextTemplate } from '../../kit/relay/text-template.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { placeOfDone } from '../answer/done-event.ts';
import { ChunkLayout } from './chunk-layout.ts';

/** The editor of streams; it also edits whole answers, by walking their fields. */
export class StreamPatcher implements FrameEditor {
  readonly #wantsUsage: boolean;
  readonly #context: RelayContext;
  readonly #emptyChoice: Buffer;
  /** The caller's model as JSON text. */
  readonly #model: Buffer;
  readonly #layout = new ChunkLayout();
  readonly #usageCursor = new FieldCursor();
  /** The edits of the last frame; null if they are not the same for every frame like it. */
  #lastEdits: readonly Edit[] | null = null;

  /** `emptyChoice`: a choice of the format, without output, as JSON in a list. */
  constructor(wantsUsage: boolean, context: RelayContext, emptyChoice: Buffer = EMPTY_CHOICE) {
    this.#wantsUsage = wantsUsage;
    this.#context = context;
    this.#emptyChoice = emptyChoice;
    this.#model = modelJson(context.callerModel).bytes;
  }

  frame(frame: Frame): Buffer | null {
    const { bytes, data, dataStart } = frame;
    this.#lastEdits = null;
    if (data === null) return bytes;
    if (dataStart >= 0) {
      if (isSpace(data[0] ?? 0)) return this.#patchBlank(frame, data);
      return this.#patchChunk(bytes, dataStart, dataStart + data.length);
    }
    if (isSpace(data[0] ?? 0) && placeOfDone(data) > 0) return encodeSse(frame.event, '[DONE]');
    const patched = splice(data, this.#edits(data, 0, data.length, !this.#wantsUsage));
    return patched === data ? bytes : encodeSse(frame.event, patched.toString('utf8'));
  }

  recipe(template: TextTemplate): FrameRecipe | null {
    return this.#lastEdits === null ? null : EditedFrames.of(template, this.#lastEdits);
  }

  body({ bytes }: WholeAnswer): Buffer {
    return splice(bytes, this.#edits(bytes, 0, bytes.length, false, true));
  }

  /** Clients recognise `[DONE]` only without white space before it. */
  #patchBlank({ bytes, dataStart }: Frame, data: Buffer): Buffer {
    const end = placeOfDone(data);
    if (end === -1) return this.#patchChunk(bytes, dataStart, dataStart + data.length);
    return splice(bytes, [{ start: dataStart, end: dataStart + end, insert: NOTHING }]);
  }

  #patchChunk(bytes: Buffer, start: number, end: number): Buffer {
    const edits = this.#edits(bytes, start, end, !this.#wantsUsage);
    const { usageStart } = this.#layout;
    // Usage is priced each time; every other edit is the same on every chunk like this one.
    if (usageStart === -1 || bytes[usageStart] === LETTER_N) this.#lastEdits = edits;
    return splice(bytes, edits);
  }

  /** In order of position; none if the bytes are not an object. */
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
        edits.push({ start: layout.choicesStart, end: layout.choicesEnd, insert: this.#emptyChoice });
      }
    }
  }

  /** An existing cost is what the operator paid upstream: it is replaced by the caller's, or `null`. */
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
