/** The translate lane, for answers: from the provider's format through the neutral form into the caller's. */
import type { ChatEvent, Finish } from '../../chat/response.ts';
import { addWarning, listWarnings } from '../../chat/warnings.ts';
import { GatewayError } from '../../core/errors.ts';
import type { AnyCallerDialect, AnyProviderDialect } from '../../dialects/index.ts';
import type { FrameEditor, FrameRecipe } from '../../dialects/interface/frame-editor.ts';
import type { StreamReader } from '../../dialects/interface/stream-reader.ts';
import type { StreamWriter, WriteContext } from '../../dialects/interface/stream-writer.ts';
import { SurroundedText } from '../../dialects/kit/relay/surrounded-text.ts';
import type { TextTemplate } from '../../dialects/kit/relay/text-template.ts';
import type { WholeAnswer } from '../../dialects/kit/relay/whole-answer.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { Admitted, Translated } from '../phases.ts';
import { AnswerBounds } from './answer-bounds.ts';
import { answerContext } from './answer-context.ts';
import { shownModel } from './shown-model.ts';

/** How many citations of one streamed answer are passed on: a person reads a few, and some formats repeat all of them at the end. */
export const CITATIONS_MAX = 2_048;
const MORE_CITATIONS = `the citations after the first ${CITATIONS_MAX} were left out of the answer`;

/**
 * Reads the provider's answer and writes it in the caller's format, frame by frame or whole. What is lost is added to the
 * call's warnings immediately, because its record may be written after any frame.
 */
export class TranslatedAnswer implements FrameEditor {
  readonly #call: Admitted;
  readonly #caller: AnyCallerDialect;
  readonly #upstream: AnyProviderDialect;
  readonly #upstreamModel: string;
  /** The provider's. */
  readonly #quirks: object;
  readonly #context: WriteContext;
  readonly #toolNames: ReadonlyMap<string, string> | null;
  readonly #bounds: AnswerBounds | null;
  #reader: StreamReader | null = null;
  #writer: StreamWriter | null = null;
  /** The event of the last frame, if it had exactly one. */
  #lastEvent: ChatEvent | null = null;
  #citations = 0;
  /** How many warnings have been copied to the call. */
  #reported: number;

  constructor(call: Admitted & Translated, candidate: Candidate, upstream: AnyProviderDialect, quirks: object) {
    const { target } = candidate;
    this.#call = call;
    this.#caller = call.dialect;
    this.#upstream = upstream;
    this.#upstreamModel = target.upstreamModel;
    this.#quirks = quirks;
    const written = call.translation.writtenFor(candidate, call.hold.outputCap);
    this.#toolNames = written.toolNames;
    this.#bounds = AnswerBounds.of(written);
    this.#context = {
      callerModel: shownModel(call),
      provider: target.provider,
      id: call.id,
      created: Math.floor(call.admittedAt / 1000),
      wantsUsage: call.peek.wantsUsage,
      showsReasoning: call.translation.showsReasoning,
      hidesReasoning: call.translation.hidesReasoning,
      oldFunctions: call.translation.request.oldFunctions === true,
      ...(call.translation.request.forAnswer !== undefined && { forAnswer: call.translation.request.forAnswer }),
      // Includes the warnings of the request.
      warnings: new Set(call.warnings),
      cost: answerContext(call, target).cost,
    };
    this.#reported = this.#context.warnings.size;
  }

  frame(frame: Frame): Buffer | null {
    this.#reader ??= this.#upstream.openReader(this.#upstreamModel, this.#quirks);
    return this.#write(this.#cited(this.#bounded(this.#reader.frame(frame))));
  }

  recipe(template: TextTemplate, { bytes }: Frame, edited: Buffer): FrameRecipe | null {
    // Each text must be searched for a stop sequence.
    if (this.#bounds !== null) return null;
    const parts = this.#lastEvent === null ? null : (this.#writer?.surround?.(this.#lastEvent) ?? null);
    return parts === null ? null : SurroundedText.of(template, bytes, parts, edited);
  }

  fail(error: GatewayError): Buffer {
    const { dialect, requestId } = this.#call;
    this.#writer ??= this.#caller.openWriter(this.#context);
    return this.#writer.fail?.(error) ?? dialect.writeStreamError(error, requestId);
  }

  end(): Buffer | null {
    return this.#reader === null ? null : this.#write(this.#cited(this.#bounded(this.#reader.end())));
  }

  body({ bytes, object }: WholeAnswer): Buffer {
    const read = this.#upstream.readResponse(bytes, object, this.#quirks);
    if (read === null) throw new GatewayError('bad_gateway', { message: 'The provider returned an invalid response.' });
    const response = this.#bounds?.response(read) ?? read;
    const blocks = response.blocks.map((block) => (block.type === 'tool_call' ? this.#named(block) : block));
    for (const warning of response.warnings) addWarning(this.#context.warnings, warning);
    const written = this.#caller.writeResponse(
      { ...response, blocks, finish: this.#withoutEcho(response.finish) },
      this.#context,
    );
    this.#report();
    return written;
  }

  #bounded(events: readonly ChatEvent[]): readonly ChatEvent[] {
    const bounds = this.#bounds;
    return bounds === null ? events : events.flatMap((event) => bounds.events(event));
  }

  /** Without citations that are too many. */
  #cited(events: readonly ChatEvent[]): readonly ChatEvent[] {
    let left = CITATIONS_MAX - this.#citations;
    for (const { type } of events) if (type === 'citation') this.#citations += 1;
    if (this.#citations <= CITATIONS_MAX) return events;
    addWarning(this.#context.warnings, MORE_CITATIONS);
    return events.filter(({ type }) => {
      if (type === 'citation') left -= 1;
      return type !== 'citation' || left >= 0;
    });
  }

  #write(events: readonly ChatEvent[]): Buffer | null {
    this.#writer ??= this.#caller.openWriter(this.#context);
    const [first] = events;
    this.#lastEvent = events.length === 1 && first !== undefined ? first : null;
    if (first === undefined) return null;
    // The relay then breaks off: it settles the call as failed and sends an error, whatever the meter's state.
    for (const event of events) {
      if (event.type === 'warning') addWarning(this.#context.warnings, event.text);
      if (event.type !== 'error') continue;
      this.#report();
      throw event.error;
    }
    const bytes = events.length === 1 ? this.#writer.event(this.#renamed(first)) : this.#writeAll(this.#writer, events);
    this.#report();
    return nothingOr(bytes);
  }

  #writeAll(writer: StreamWriter, events: readonly ChatEvent[]): Buffer {
    return Buffer.concat(events.map((event) => writer.event(this.#renamed(event))));
  }

  /** Copies new warnings to the call; for nearly every frame there are none. */
  #report(): void {
    const { warnings } = this.#context;
    if (warnings.size === this.#reported) return;
    this.#reported = warnings.size;
    const { echo } = this.#call;
    // A warning may quote the provider.
    this.#call.warnings = listWarnings(warnings).filter((text) => echo?.isIn(text, 'warning') !== true);
  }

  /** The event with the caller's own tool names. */
  #renamed(event: ChatEvent): ChatEvent {
    if (event.type === 'finish') return { ...event, finish: this.#withoutEcho(event.finish) };
    if (this.#toolNames === null || event.type !== 'block_start' || event.block.type !== 'tool_call') return event;
    return { ...event, block: this.#named(event.block) };
  }

  /** The provider's own finish reason reaches callers too. */
  #withoutEcho(finish: Finish): Finish {
    const { native, explanation } = finish;
    const leaksCredential = (text: string | null) =>
      text !== null && this.#call.echo?.isIn(text, 'finish reason') === true;
    if (!leaksCredential(native) && !leaksCredential(explanation)) return finish;
    return { ...finish, native: null, explanation: null };
  }

  #named<Called extends { readonly name: string }>(call: Called): Called {
    return { ...call, name: this.#toolNames?.get(call.name) ?? call.name };
  }
}

function nothingOr(bytes: Buffer): Buffer | null {
  return bytes.length === 0 ? null : bytes;
}
