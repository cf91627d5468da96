/**
 * Edits the answer of a relayed call: the model's name becomes the one the caller sent, in
 * `message_start` or at the top of a whole answer. Every other byte passes as it came, since
 * thinking signatures are checked byte for byte when they come back.
 */
import { type JsonField, scanJson } from '../../wire/json-scan.ts';
import { replaceValue, splice } from '../../wire/json-splice.ts';
import { encodeSse, type SseFrame } from '../../wire/sse.ts';
import type { AnswerContext, FramePatcher, Peek } from '../dialect.ts';

export function openPatcher(_peek: Peek, context: AnswerContext): FramePatcher {
  return new AnthropicPatcher(JSON.stringify(context.callerModel));
}

class AnthropicPatcher implements FramePatcher {
  /** The caller's model as JSON text. */
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  frame(frame: SseFrame): Buffer {
    if (frame.data === null || !isMessageStart(frame, frame.data)) return frame.raw;
    const model = findModelOfMessage(frame.data);
    if (model === null) return frame.raw;
    if (frame.dataStart >= 0) {
      const { dataStart: offset } = frame;
      return splice(frame.raw, [
        { start: offset + model.valueStart, end: offset + model.valueEnd, insert: Buffer.from(this.#model) },
      ]);
    }
    return encodeSse(frame.event, splice(frame.data, [replaceValue(model, this.#model)]).toString('utf8'));
  }

  body(body: Buffer): Buffer {
    const model = fieldsOf(body)?.get('model');
    return model?.type !== 'string' ? body : splice(body, [replaceValue(model, this.#model)]);
  }
}

const START = Buffer.from('message_start');
/** The type stands at the beginning of a payload; a stream without `event:` lines is told by it. */
const TYPE_BYTES_MAX = 64;
const MODEL_KEY: ReadonlySet<string> = new Set(['model']);

function isMessageStart(frame: SseFrame, data: Buffer): boolean {
  if (frame.event !== null) return frame.event === 'message_start';
  return data.subarray(0, TYPE_BYTES_MAX).includes(START);
}

function findModelOfMessage(data: Buffer): JsonField | null {
  try {
    const { watched } = scanJson(data, { watchedKeys: MODEL_KEY });
    return watched.find((field) => field.path === 'message.model' && field.type === 'string') ?? null;
  } catch {
    // What is not JSON passes as it came; the meter has seen it and says that the answer is broken.
    return null;
  }
}

function fieldsOf(body: Buffer): ReadonlyMap<string, JsonField> | null {
  try {
    return scanJson(body).fields;
  } catch {
    // As above.
    return null;
  }
}
