/**
 * The relay of both lanes: a meter and an editor for one answer. Most frames of a stream differ only in their text: one of them is read,
 * metered, checked and edited; the following ones are only compared with it, which is enough to handle them.
 */
import type { WholeBody } from '../../../core/body.ts';
import type { GatewayError } from '../../../core/errors.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { FrameEditor, FrameRecipe } from '../../interface/frame-editor.ts';
import type { Meter } from '../../interface/meter.ts';
import type { FrameGuard, Relay } from '../../interface/relay.ts';
import { EditedFrames } from './edited-frames.ts';
import { type FindText, TextTemplate } from './text-template.ts';
import type { WholeAnswer } from './whole-answer.ts';

export interface RelayParts {
  readonly meter: Meter;
  readonly editor: FrameEditor;
  /** If absent, every frame passes. */
  readonly guard?: FrameGuard | undefined;
  /** For the provider's format; if absent, every frame is read. */
  readonly findText?: FindText | undefined;
}

export class FrameRelay implements Relay {
  readonly meter: Meter;
  isKnown = false;
  readonly #editor: FrameEditor;
  readonly #guard: FrameGuard | null;
  readonly #findText: FindText | null;
  #template: TextTemplate | null = null;
  /** How to write a frame like the last one, which the template has learned; null if it has not. */
  #recipe: FrameRecipe | null = null;

  constructor({ meter, editor, guard, findText }: RelayParts) {
    this.meter = meter;
    this.#editor = editor;
    this.#guard = guard ?? null;
    this.#findText = findText ?? null;
  }

  frame(frame: Frame): Buffer | null {
    const { bytes } = frame;
    const made = this.#recipe === null ? null : this.#makeAgain(this.#recipe, bytes);
    this.isKnown = made !== null;
    if (made !== null) return made;
    this.#recipe = null;
    return this.#read(frame);
  }

  again(bytes: Buffer, into: Buffer, at: number): number {
    const recipe = this.#recipe;
    const template = this.#template;
    if (recipe === null || template === null || !template.match(bytes)) return -1;
    const length = recipe.lengthOf(template, bytes);
    if (length === -1 || at + length > into.length) return -1;
    recipe.put(template, bytes, into, at);
    this.meter.again?.(template.textBytes);
    return length;
  }

  get passesRest(): boolean {
    return this.#editor.end === undefined;
  }

  end(): Buffer | null {
    return this.#editor.end?.() ?? null;
  }

  fail(error: GatewayError): Buffer | null {
    return this.#editor.fail?.(error) ?? null;
  }

  edit(frame: Frame): Buffer | null {
    this.#recipe = null;
    return this.#editor.frame(frame);
  }

  readBody(answer: WholeAnswer): void {
    this.meter.body(answer);
  }

  editBody(answer: WholeAnswer): WholeBody {
    return this.#editor.body(answer);
  }

  #makeAgain(recipe: FrameRecipe, bytes: Buffer): Buffer | null {
    const template = this.#template;
    if (template === null || !template.match(bytes)) return null;
    const length = recipe.lengthOf(template, bytes);
    if (length === -1) return null;
    this.meter.again?.(template.textBytes);
    if (recipe === EditedFrames.none) return bytes;
    const made = Buffer.allocUnsafe(length);
    recipe.put(template, bytes, made, 0);
    return made;
  }

  #read(frame: Frame): Buffer | null {
    const { meter } = this;
    meter.frame(frame);
    if (meter.isUnknown === true && this.#isLeftOut(frame)) return null;
    if (meter.failure !== null) this.#guard?.refuseFailing(frame, meter.failure);
    const edited = this.#editor.frame(frame);
    if ((meter.addedText ?? 0) > 0 && edited !== null) this.#learn(frame, edited);
    return edited;
  }

  /** A frame that ends an answer is never left out. */
  #isLeftOut(frame: Frame): boolean {
    const { meter } = this;
    return !meter.ended && meter.state !== 'failed' && this.#guard?.leavesOut(frame) === true;
  }

  #learn(frame: Frame, edited: Buffer): void {
    const { bytes, data, dataStart } = frame;
    if (data === null || dataStart === -1 || this.#findText === null) return;
    this.#template ??= new TextTemplate(this.#findText, this.#guard?.uncheckedBytesMax);
    const template = this.#template;
    if (!template.match(bytes) && !template.learn(bytes, dataStart, dataStart + data.length)) return;
    if (template.textBytes !== this.meter.addedText) return template.forget();
    this.#recipe = this.#editor.recipe(template, frame, edited);
  }
}
