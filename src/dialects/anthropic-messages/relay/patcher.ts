/**
 * Edits the answer of a relayed call: the model's name becomes the one the caller sent, in
 * `message_start` or at the top of a whole answer. Every other byte passes as it came, since
 * thinking signatures are checked byte for byte when they come back.
 */
import type { ByteText, WholeBody } from '../../../core/body.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { Frame } from '../../../wire/frame.ts';
import { type JsonDocument, type JsonField, readString, scanJson } from '../../../wire/json-scan.ts';
import { type Edit, replaceValue, splice } from '../../../wire/json-splice.ts';
import { encodeSse } from '../../../wire/sse.ts';
import type { AnswerContext, FramePatcher } from '../../interface/frame-patcher.ts';
import type { Peek } from '../../interface/peek.ts';
import { modelJson } from '../../kit/relay/model-json.ts';
import { placeOfModel, takeAnswer } from '../../kit/relay/whole-answer.ts';
import { DeltaTemplate } from './frame-template.ts';

export function openPatcher(_peek: Peek, context: AnswerContext): FramePatcher {
  return new AnthropicPatcher(context.callerModel);
}

class AnthropicPatcher implements FramePatcher {
  readonly #model: string;
  /** Of deltas, which all pass as they came. */
  readonly #template = new DeltaTemplate();
  isRepeatable = false;

  constructor(callerModel: string) {
    this.#model = callerModel;
  }

  frame(frame: Frame): Buffer {
    this.isRepeatable = frame.event === 'content_block_delta' && this.#isLearned(frame);
    if (frame.data === null || !isMessageStart(frame, frame.data)) return frame.bytes;
    const edit = this.#edit(frame.data, findModelOfMessage);
    if (edit === null) return frame.bytes;
    const { dataStart } = frame;
    // Data over several lines has no one place in the frame, so the frame is written anew.
    if (dataStart === -1) return encodeSse(frame.event, splice(frame.data, [edit]).toString('utf8'));
    return splice(frame.bytes, [{ start: dataStart + edit.start, end: dataStart + edit.end, insert: edit.insert }]);
  }

  repeat(raw: Buffer, into: Buffer, at: number): number {
    if (at + raw.length > into.length || !this.#template.match(raw)) return -1;
    into.set(raw, at);
    return raw.length;
  }

  get repeatedTextBytes(): number {
    return this.#template.textBytes;
  }

  body(body: Buffer): WholeBody {
    const known = this.#patchKnown(body);
    if (known !== null) return known;
    const edit = this.#edit(body, findModel);
    return edit === null ? body : splice(body, [edit]);
  }

  #isLearned({ bytes, data, dataStart }: Frame): boolean {
    if (data === null || dataStart === -1) return false;
    if (this.#template.match(bytes)) return true;
    this.#template.learn(bytes, dataStart, dataStart + data.length);
    return false;
  }

  /** The answer as it goes on when the meter has just read it and its model stands where it always does; else null. */
  #patchKnown(body: Buffer): WholeBody | null {
    const answer = takeAnswer(body);
    const place = answer === null ? null : placeOfModel(answer.text);
    if (answer === null || place === null) return null;
    if (answer.object['model'] === this.#model) return body;
    const { text } = answer;
    return (text.slice(0, place.start) + modelJson(this.#model).text + text.slice(place.end)) as ByteText;
  }

  /** The edit that sets the model, or null where there is none to set. */
  #edit(json: Buffer, find: (json: Buffer) => FoundModel | null): Edit | null {
    try {
      const found = find(json);
      if (found === null || readString(found.document, found.field) === this.#model) return null;
      return replaceValue(found.field, JSON.stringify(this.#model));
    } catch (error) {
      // What is not JSON passes as it came; the meter has seen it and says that the answer is broken.
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
/** The type stands at the beginning of a payload; a stream without `event:` lines is told by it. */
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
