/**
 * Edits the answer of a call that is not streamed. Where the meter has just read it and its fields stand
 * where they nearly always do, the edits are made without a walk through it; else, and for
 * frames, the patcher of streams is opened, which makes the very same edits.
 */

import type { ByteText, WholeBody } from '../../../core/body.ts';
import { asObject } from '../../../core/json-object.ts';
import type { Frame } from '../../../wire/frame.ts';
import { isSpace } from '../../../wire/json-grammar.ts';
import type { AnswerContext, FramePatcher } from '../../interface/frame-patcher.ts';
import { modelJson, providerField } from '../../kit/relay/model-json.ts';
import { type Place, placeOfModel, takeAnswer } from '../../kit/relay/whole-answer.ts';
import { placeOfUsage } from './place-of-usage.ts';

export class WholeAnswerPatcher implements FramePatcher {
  readonly #context: AnswerContext;
  readonly #open: () => FramePatcher;
  #walking: FramePatcher | null = null;

  /** `open` makes the patcher that walks through what it edits. */
  constructor(context: AnswerContext, open: () => FramePatcher) {
    this.#context = context;
    this.#open = open;
  }

  frame(frame: Frame): Buffer | null {
    return this.#walker().frame(frame);
  }

  body(body: Buffer): WholeBody {
    return patchKnown(body, this.#context) ?? this.#walker().body(body);
  }

  #walker(): FramePatcher {
    this.#walking ??= this.#open();
    return this.#walking;
  }
}

/** The edited answer, the answer itself when there is nothing to edit, or null where it takes a walk to tell. */
function patchKnown(body: Buffer, context: AnswerContext): WholeBody | null {
  const answer = takeAnswer(body);
  if (answer === null) return null;
  const { object, text } = answer;
  const model = placeOfModel(text);
  if (model === null) return null;
  const name = modelJson(context.callerModel).text;
  const served = 'provider' in object || context.provider === undefined ? '' : providerField(context.provider);
  let costAt = text.length;
  let addition = '';
  if (object['usage'] !== undefined) {
    const usage = isPlainUsage(object['usage']) ? placeOfUsage(body) : null;
    if (usage === null || mayBeEmpty(body, usage)) return null;
    const cost = context.cost();
    costAt = usage.end - 1;
    addition = cost === null ? '' : `,"cost":${cost}`;
  }
  if (addition === '' && served === '' && text.startsWith(name, model.start)) return body;
  return (text.slice(0, model.start) +
    name +
    served +
    text.slice(model.end, costAt) +
    addition +
    text.slice(costAt)) as ByteText;
}

/** Whether it is an object with no cost yet, to which one is simply added. */
function isPlainUsage(usage: unknown): boolean {
  const fields = asObject(usage);
  return fields !== null && !('cost' in fields);
}

/** Whether nothing is in it, so that no comma is due, or white space hides what is. */
function mayBeEmpty(body: Buffer, { end }: Place): boolean {
  const last = body[end - 2] as number;
  return last === OPEN_BRACE || isSpace(last);
}

const OPEN_BRACE = 0x7b;
