/**
 * Edits the answer of a relayed call: the model's name becomes the one that the caller sent, in `message_start` or at the top of a whole
 * answer. Every other byte passes unchanged, since Anthropic checks thinking signatures byte for byte when they come back.
 */
import type { ByteText, WholeBody } from '../../../core/body.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { type Edit, replaceValue, splice } from '../../../wire/json-splice.ts';
import type { FrameEditor, FrameRecipe } from '../../interface/frame-editor.ts';
import { EditedFrames } from '../../kit/relay/edited-frames.ts';
import { modelJson } from '../../kit/relay/model-json.ts';
import { placeOfModel } from '../../kit/relay/place-of-model.ts';
import type { TextTemplate } from '../../kit/relay/text-template.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';

export class AnswerPatcher implements FrameEditor {
  readonly #model: string;

  constructor(callerModel: string) {
    this.#model = callerModel;
  }

  frame(frame: Frame): Buffer {
    const { bytes, data, dataStart } = frame;
    if (data === null || !isMessageStart(frame, data)) return bytes;
    const edit = this.#edit(data, findModelOfMessage);
    if (edit === null) return bytes;
    // Data over several lines is not contiguous in the frame, so the frame is written again.
    if (dataStart === -1) return encodeSse(frame.event, splice(data, [edit]).toString('utf8'));
    return splice(bytes, [{ start: dataStart + edit.start, end: dataStart + edit.end, insert: edit.insert }]);
  }

  /** For deltas, which pass unchanged. */
  recipe(_template: TextTemplate, { bytes }: Frame, edited: Buffer): FrameRecipe | null {
    return edited === bytes ? EditedFrames.none : null;
  }

  body(answer: WholeAnswer): WholeBody {
    const known = this.#patchKnown(answer);
    if (known !== null) return known;
    const edit = this.#edit(answer.bytes, findModel);
    return edit === null ? answer.bytes : splice(answer.bytes, [edit]);
  }

  /** The edited answer if its model is in the usual position; otherwise null. */
  #patchKnown(answer: WholeAnswer): WholeBody | null {
    const { isShort, object } = answer;
    const place = !isShort || object === null ? null : placeOfModel(answer.text);
    if (place === null || object === null) return null;
    if (object['model'] === this.#model) return answer.bytes;
    const { text } = answer;
    return (text.slice(0, place.start) + modelJson(this.#model).text + text.slice(place.end)) as ByteText;
  }

  /** The edit that sets the model, or null if there is none to set. */
  #edit(json: Buffer, find: (json: Buffer) => FoundModel | null): Edit | null {
    try {
      const found = find(json);
      if (found === null || readString(found.document, found.field) === this.#model) return null;
      return replaceValue(found.field, JSON.stringify(this.#model));
    } catch (error) {
      // What is not JSON passes unchanged; the meter has seen it and reports that the answer is broken.
      if (error instanceof GatewayError) return null;
      throw error;
    }
  }
}

interface FoundModel {
  readonly document: JsonDocument;
  readonly field: JsonField;
}

const START = Buffer.from('message_start');
/** The type is at the beginning of a payload, and identifies events without `event:` lines. */
const TYPE_BYTES_MAX = 64;
const MODEL_KEY: ReadonlySet<string> = new Set(['model']);

function isMessageStart(frame: Frame, data: Buffer): boolean {
  if (frame.event !== null) return frame.event === 'message_start';
  return data.subarray(0, TYPE_BYTES_MAX).includes(START);
}

function findModelOfMessage(json: Buffer): FoundModel | null {
  const document = scanJson(json, { watchedKeys: MODEL_KEY });
  const field = document.watched.find(({ path }) => path === 'message.model');
  return field?.type === 'string' ? { document, field } : null;
}

function findModel(json: Buffer): FoundModel | null {
  const document = scanJson(json);
  const field = document.fields.get('model');
  return field?.type === 'string' ? { document, field } : null;
}
