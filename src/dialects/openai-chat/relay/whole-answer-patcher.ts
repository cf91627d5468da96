/**
 * Edits the answer of a call that is not streamed. If its fields are where they nearly always are, the edits need no walk through it;
 * otherwise the editor of streams makes the same edits.
 */

import type { ByteText, WholeBody } from '../../../core/body.ts';
import { asObject } from '../../../core/json-object.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { isSpace } from '../../../wire/json-grammar.ts';
import type { FrameEditor } from '../../interface/frame-editor.ts';
import type { RelayContext } from '../../interface/relay.ts';
import { modelJson, providerField } from '../../kit/relay/model-json.ts';
import { type Place, placeOfModel } from '../../kit/relay/place-of-model.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { StreamPatcher } from './patcher.ts';
import { placeOfUsage } from './place-of-usage.ts';

export class WholeAnswerPatcher implements FrameEditor {
  readonly #context: RelayContext;
  readonly #wantsUsage: boolean;
  #walking: StreamPatcher | null = null;

  constructor(wantsUsage: boolean, context: RelayContext) {
    this.#wantsUsage = wantsUsage;
    this.#context = context;
  }

  frame(frame: Frame): Buffer | null {
    return this.#walker().frame(frame);
  }

  /** Never used: there is no stream. */
  recipe(): null {
    return null;
  }

  body(answer: WholeAnswer): WholeBody {
    return patchKnown(answer, this.#context) ?? this.#walker().body(answer);
  }

  #walker(): StreamPatcher {
    this.#walking ??= new StreamPatcher(this.#wantsUsage, this.#context);
    return this.#walking;
  }
}

/** The edited answer, the answer itself when there is nothing to edit, or null if it must be walked. */
function patchKnown(answer: WholeAnswer, context: RelayContext): WholeBody | null {
  const { bytes, object, isShort } = answer;
  if (!isShort || object === null) return null;
  const { text } = answer;
  const model = placeOfModel(text);
  if (model === null) return null;
  const name = modelJson(context.callerModel).text;
  const served = 'provider' in object || context.provider === undefined ? '' : providerField(context.provider);
  let costAt = text.length;
  let addition = '';
  if (object['usage'] !== undefined) {
    const usage = isPlainUsage(object['usage']) ? placeOfUsage(bytes) : null;
    if (usage === null || mayBeEmpty(bytes, usage)) return null;
    const cost = context.cost();
    costAt = usage.end - 1;
    addition = cost === null ? '' : `,"cost":${cost}`;
  }
  if (addition === '' && served === '' && text.startsWith(name, model.start)) return bytes;
  return (text.slice(0, model.start) +
    name +
    served +
    text.slice(model.end, costAt) +
    addition +
    text.slice(costAt)) as ByteText;
}

/** Whether it is an object without a cost, to which one can simply be added. */
function isPlainUsage(usage: unknown): boolean {
  const fields = asObject(usage);
  return fields !== null && !('cost' in fields);
}

/** Whether it may be empty, so that no comma is needed: it is, or white space comes first. */
function mayBeEmpty(body: Buffer, { end }: Place): boolean {
  const last = body[end - 2] as number;
  return last === OPEN_BRACE || isSpace(last);
}

const OPEN_BRACE = 0x7b;
