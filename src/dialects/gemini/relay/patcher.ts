/**
 * Edits the answer of a relayed call: `modelVersion` becomes the model that the caller asked for. Every other byte passes unchanged: a
 * thought signature is valid only as it was sent.
 */
import type { WholeBody } from '../../../core/body.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { type Edit, splice } from '../../../wire/json-splice.ts';
import type { FrameEditor, FrameRecipe } from '../../interface/frame-editor.ts';
import { EditedFrames } from '../../kit/relay/edited-frames.ts';
import { lastValue } from '../../kit/relay/last-value.ts';
import { modelJson } from '../../kit/relay/model-json.ts';
import type { TextTemplate } from '../../kit/relay/text-template.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';

export class AnswerPatcher implements FrameEditor {
  /** The caller's model as JSON text. */
  readonly #model: Buffer;
  /** Of the last frame; null if they are not at the same place in every frame like it. */
  #lastEdits: readonly Edit[] | null = null;

  constructor(callerModel: string) {
    this.#model = modelJson(callerModel).bytes;
  }

  frame(frame: Frame): Buffer {
    const { bytes, data, dataStart } = frame;
    this.#lastEdits = null;
    if (data === null) return bytes;
    if (dataStart >= 0) {
      this.#lastEdits = this.#edits(bytes, dataStart, dataStart + data.length);
      return splice(bytes, this.#lastEdits);
    }
    // Data over several lines is not contiguous in the frame, so the frame is written again.
    const patched = splice(data, this.#edits(data, 0, data.length));
    return patched === data ? bytes : encodeSse(frame.event, patched.toString());
  }

  recipe(template: TextTemplate): FrameRecipe | null {
    return this.#lastEdits === null ? null : EditedFrames.of(template, this.#lastEdits);
  }

  body({ bytes }: WholeAnswer): WholeBody {
    return splice(bytes, this.#edits(bytes, 0, bytes.length));
  }

  #edits(bytes: Buffer, start: number, end: number): readonly Edit[] {
    const place = lastValue(bytes, start, end, MODEL);
    if (place === null || bytes[place.start] !== QUOTE) return NOTHING;
    const isSame =
      place.end - place.start === this.#model.length &&
      bytes.compare(this.#model, 0, this.#model.length, place.start, place.end) === 0;
    return isSame ? NOTHING : [{ ...place, insert: this.#model }];
  }
}

const MODEL = Buffer.from('"modelVersion"');
const QUOTE = 0x22;
const NOTHING: readonly Edit[] = [];
