/**
 * Edits the answers of a relayed call: the model becomes the string that the caller sent, in a whole answer and in the events that contain
 * the response, and a cost that the provider reports there, which is what the operator paid, becomes the caller's. Encrypted thoughts of other
 * vendors than OpenAI are marked as theirs. Every other byte passes unchanged, ids included.
 */
import type { ByteText, WholeBody } from '../../../core/body.ts';
import { asObject } from '../../../core/json-object.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { type Edit, splice } from '../../../wire/json-splice.ts';
import type { FrameEditor, FrameRecipe } from '../../interface/frame-editor.ts';
import type { RelayContext } from '../../interface/relay.ts';
import { EditedFrames } from '../../kit/relay/edited-frames.ts';
import { lastValue } from '../../kit/relay/last-value.ts';
import { modelJson } from '../../kit/relay/model-json.ts';
import { type Place, placeOfModel } from '../../kit/relay/place-of-model.ts';
import type { TextTemplate } from '../../kit/relay/text-template.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { tagOf } from '../answer/thought-seal.ts';
import { type Quirks, usualQuirks } from '../quirks.ts';
import { tagThoughts } from './tagged-thoughts.ts';

export class ResponsePatcher implements FrameEditor {
  readonly #context: RelayContext<Quirks>;
  /** What comes before an encrypted thought; null for OpenAI's own. */
  readonly #tag: Buffer | null;

  constructor(context: RelayContext<Quirks>) {
    this.#context = context;
    const tag = tagOf((context.quirks ?? usualQuirks).thoughtOrigin);
    this.#tag = tag === '' ? null : Buffer.from(tag);
  }

  frame(frame: Frame): Buffer {
    const { bytes, data, dataStart } = frame;
    if (data === null) return bytes;
    const hasResponse = frame.event === null || WITH_RESPONSE.has(frame.event);
    if (!hasResponse && this.#tag === null) return bytes;
    const response = hasResponse ? lastValue(data, 0, data.length, RESPONSE) : null;
    const edits = this.#tagged(data, response === null ? NO_EDITS : this.#edits(data, response));
    if (edits.length === 0) return bytes;
    // Data over several lines is not contiguous in the frame, so the frame is written again.
    if (dataStart === -1) return encodeSse(frame.event, splice(data, edits).toString('utf8'));
    const placed = edits.map(({ start, end, insert }) => ({ start: dataStart + start, end: dataStart + end, insert }));
    return splice(bytes, placed);
  }

  /** For deltas, which pass unchanged. */
  recipe(_template: TextTemplate, { bytes }: Frame, edited: Buffer): FrameRecipe | null {
    return edited === bytes ? EditedFrames.none : null;
  }

  body(answer: WholeAnswer): WholeBody {
    const { bytes, object } = answer;
    // What cannot be read passes as it is; the meter reports that the answer is broken.
    if (object === null) return bytes;
    const known = this.#tag === null ? this.#patchKnown(answer) : null;
    return known ?? splice(bytes, this.#tagged(bytes, this.#edits(bytes, { start: 0, end: bytes.length })));
  }

  /** With the marks of encrypted thoughts, in order of position. */
  #tagged(bytes: Buffer, edits: readonly Edit[]): readonly Edit[] {
    const marks = this.#tag === null ? [] : tagThoughts(bytes, this.#tag);
    return marks.length === 0 ? edits : [...edits, ...marks].sort((left, right) => left.start - right.start);
  }

  /** The edited answer if its model is in the usual position and there is no cost; otherwise null. */
  #patchKnown(answer: WholeAnswer): WholeBody | null {
    const { isShort, object, bytes } = answer;
    if (!isShort || object === null || asObject(object['usage'])?.['cost'] !== undefined) return null;
    const { text } = answer;
    const place = placeOfModel(text);
    if (place === null) return null;
    if (object['model'] === this.#context.callerModel) return bytes;
    return (text.slice(0, place.start) + modelJson(this.#context.callerModel).text + text.slice(place.end)) as ByteText;
  }

  /** In order of position; none if the bytes there are not an object. */
  #edits(bytes: Buffer, { start, end }: Place): readonly Edit[] {
    const edits: Edit[] = [];
    const model = lastValue(bytes, start, end, MODEL);
    const own = modelJson(this.#context.callerModel).bytes;
    if (model !== null && bytes[model.start] === QUOTE && !own.equals(bytes.subarray(model.start, model.end)))
      edits.push({ ...model, insert: own });
    const usage = lastValue(bytes, start, end, USAGE);
    const isObject = usage !== null && bytes[usage.start] === OPEN_BRACE;
    const cost = isObject ? lastValue(bytes, usage.start, usage.end, COST) : null;
    if (cost !== null) edits.push({ ...cost, insert: Buffer.from(this.#context.cost() ?? 'null') });
    return edits.length < 2 ? edits : edits.sort((left, right) => left.start - right.start);
  }
}

/** Events that contain the response; in a stream without `event:` lines, every event is searched for one. */
const WITH_RESPONSE: ReadonlySet<string> = new Set([
  ...['response.created', 'response.queued', 'response.in_progress'],
  ...['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'],
]);
const RESPONSE = Buffer.from('"response"');
const MODEL = Buffer.from('"model"');
const USAGE = Buffer.from('"usage"');
const COST = Buffer.from('"cost"');
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const NO_EDITS: readonly Edit[] = [];
