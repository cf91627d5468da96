/**
 * The translate lane: a request from the caller's format through the neutral form into the
 * provider's, and the answer back. What it keeps of both formats is nothing: they are the dialects'.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BoundRequest } from '../../billing/bound.ts';
import { capToSend } from '../../billing/default-cap.ts';
import type { Model, Target } from '../../catalog/model.ts';
import { largestMedia } from '../../chat/largest-media.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { ChatEvent, Finish } from '../../chat/response.ts';
import { addWarning, listWarnings } from '../../chat/warnings.ts';
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import { type AnyCallerDialect, type AnyProviderDialect, providerDialects } from '../../dialects/index.ts';
import type { FramePatcher } from '../../dialects/interface/frame-patcher.ts';
import type { Inbound } from '../../dialects/interface/inbound.ts';
import type { StreamReader } from '../../dialects/interface/stream-reader.ts';
import type { StreamWriter, WriteContext } from '../../dialects/interface/stream-writer.ts';
import type { WrittenRequest } from '../../dialects/interface/write-target.ts';
import type { Provider } from '../../providers/provider.ts';
import type { JsonDocument } from '../../wire/json-scan.ts';
import { allocateScratch } from '../../wire/json-write.ts';
import type { SseFrame } from '../../wire/sse.ts';
import { answerContext } from '../answer/answer-context.ts';
import type { Call } from '../call.ts';
import { memoryOf, treeBytes, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { refuseTooManyValues, refuseTooMuchText } from '../capacity/parse-limits.ts';
import type { Gateway } from '../gateway.ts';
import { checkGoesOn } from '../goes-on.ts';
import { writeTargetOf } from './write-target.ts';
import { writtenBound } from './written-bound.ts';

export interface TranslatedRequest extends WrittenRequest {
  readonly dialect: AnyProviderDialect;
}

/** A call's request in the neutral form, and as it was written for a target last. */
export class Translation {
  readonly request: ChatRequest;
  readonly #model: Model;
  readonly #providers: ReadonlyMap<string, Provider>;
  #target: Target | null = null;
  #outputCap: number | null = null;
  #written: TranslatedRequest | null = null;

  constructor(request: ChatRequest, model: Model, providers: ReadonlyMap<string, Provider>) {
    this.request = request;
    this.#model = model;
    this.#providers = providers;
  }

  /**
   * `outputCap`: where the bank lowered what a call without a cap of its own may have; `scratch` as writers take it. Throws
   * `GatewayError` 400 where the target's format cannot say what the caller means.
   */
  writtenFor(target: Target, outputCap: number | null = null, scratch: Buffer | null = null): TranslatedRequest {
    if (this.#target === target && this.#outputCap === outputCap && this.#written !== null) return this.#written;
    const provider = this.#providers.get(target.provider);
    const [name] = target.dialects;
    assert(
      provider !== undefined && name !== undefined,
      'a target names a configured provider, which speaks something',
    );
    const dialect = providerDialects[name];
    const own = this.request.outputCap;
    const request = own === null ? { ...this.request, outputCap: capToSend(target, outputCap) } : this.request;
    const written = dialect.writeRequest(request, writeTargetOf(this.#model, target, provider), scratch);
    this.#outputCap = outputCap;
    this.#target = target;
    this.#written = { ...written, dialect, warnings: [...this.request.warnings, ...written.warnings] };
    return this.#written;
  }

  /** What the bound of a call to `target` goes by; `asked` is the caller's own request. Writes for it where that has not been done. */
  boundRequest(asked: BoundRequest, target: Target, outputCap: number | null = null): BoundRequest {
    const written = this.writtenFor(target, outputCap);
    return writtenBound(asked, this.request, written, written.dialect);
  }

  /** Whether the caller asked to see what the model thinks. */
  get showsReasoning(): boolean {
    const { reasoning } = this.request;
    return reasoning !== null && !reasoning.hidden && reasoning.effort !== 'none';
  }

  /** Whether the caller asked to see nothing of it. Who says nothing asks for neither. */
  get hidesReasoning(): boolean {
    const { reasoning } = this.request;
    return reasoning !== null && (reasoning.hidden || reasoning.effort === 'none');
  }
}

/** Whether the call's targets speak another format than its caller. */
export function needsTranslation({ dialect, targets }: Call): boolean {
  const [first] = targets;
  return first !== undefined && !first.dialects.includes(dialect.name);
}

/**
 * Reads the request and writes it for the call's first target, so that what cannot be said is refused, and how long it
 * becomes is known, while nothing is held. Null when that is done. Throws `GatewayError` 400, 413 where it is more than is
 * parsed, 503 where there is no memory for it.
 */
export function translate(gateway: Gateway, call: Call): Promise<void> | null {
  const { dialect, inbound, model, targets } = call;
  const [first] = targets;
  assert(inbound !== null && model !== null && first !== undefined, 'a translation follows the choice of a model');
  const { document } = inbound;
  boundReading(gateway, call);
  if (isLarge(document)) return translateInTurns(call, inbound, model, first);
  call.translation = new Translation(dialect.readRequest(inbound), model, call.providers);
  call.translation.writtenFor(first);
  return null;
}

/**
 * Writes the request of a translated call for another target, when that is tried. Null when that is done. Throws
 * `GatewayError` 400 where the target's format cannot say what the caller means.
 */
export function translateForLater(call: Call, target: Target): Promise<void> | null {
  const { inbound, translation, hold } = call;
  assert(inbound !== null && translation !== null, 'a call that is translated has been read');
  const outputCap = hold?.outputCap ?? null;
  if (!isLarge(inbound.document)) {
    translation.writtenFor(target, outputCap);
    return null;
  }
  return writeInTurns(call, inbound, translation, target);
}

async function translateInTurns(call: Call, inbound: Inbound, model: Model, first: Target): Promise<void> {
  await letOthersRun(call);
  const request = call.dialect.readRequest(inbound);
  const translation = new Translation(request, model, call.providers);
  call.translation = translation;
  await letOthersRun(call);
  await writeInTurns(call, inbound, translation, first);
}

async function writeInTurns(call: Call, inbound: Inbound, translation: Translation, target: Target): Promise<void> {
  const scratch = allocateScratch(inbound.document.bytes.length, largestMedia(translation.request));
  if (scratch !== null) await letOthersRun(call);
  translation.writtenFor(target, call.hold?.outputCap ?? null, scratch);
  // What follows begins to send it.
  await letOthersRun(call);
}

/**
 * Before a request is read into objects: throws `GatewayError` 413 where it is more than is parsed, and counts what it takes of
 * the memory as objects and as it is written anew, 413 or 503 where there is not so much.
 */
export function boundReading(gateway: Gateway, call: Call): void {
  const { inbound } = call;
  assert(inbound !== null, 'a request is read once it is whole');
  const { document } = inbound;
  refuseTooManyValues(document, gateway.limits);
  const mediaBytes = refuseTooMuchText(document, gateway.limits);
  if (document.bytes.length > UNCOUNTED_BYTES) memoryOf(call, gateway.memory).take(treeBytes(document, mediaBytes));
}

async function letOthersRun(call: Call): Promise<void> {
  // The first comes before the loop has looked at sockets and timers again, the second after.
  await nextTurn();
  await nextTurn();
  checkGoesOn(call);
}

/** Reading a large request takes milliseconds, and writing it as many again: others have a turn in between. */
function isLarge({ bytes, values }: JsonDocument): boolean {
  return bytes.length > TURN_BYTES || values > TURN_VALUES;
}

const TURN_BYTES = 1024 * 1024;
const TURN_VALUES = 10_000;

/**
 * Reads the provider's answer and writes it in the caller's format, frame by frame or whole. What is lost on the
 * way is added to the call's warnings at once: its record may be written after any frame.
 */
export class TranslatedAnswer implements FramePatcher {
  readonly #call: Call;
  readonly #caller: AnyCallerDialect;
  readonly #upstream: AnyProviderDialect;
  readonly #context: WriteContext;
  readonly #toolNames: ReadonlyMap<string, string> | null;
  #reader: StreamReader | null = null;
  #writer: StreamWriter | null = null;
  /** How many warnings the call has been told of. */
  #told: number;

  constructor(call: Call, target: Target, upstream: AnyProviderDialect) {
    assert(call.peek !== null && call.translation !== null, 'an answer follows its request');
    this.#call = call;
    this.#caller = call.dialect;
    this.#upstream = upstream;
    this.#toolNames = call.translation.writtenFor(target).toolNames;
    this.#context = {
      callerModel: call.peek.model,
      provider: target.provider,
      id: call.id,
      created: Math.floor(call.admittedAt / 1000),
      wantsUsage: call.peek.wantsUsage,
      showsReasoning: call.translation.showsReasoning,
      hidesReasoning: call.translation.hidesReasoning,
      oldFunctions: call.translation.request.oldFunctions === true,
      // Those of the request are in it already.
      warnings: new Set(call.warnings),
      cost: answerContext(call, target).cost,
    };
    this.#told = this.#context.warnings.size;
  }

  frame(frame: SseFrame): Buffer | null {
    this.#reader ??= this.#upstream.openReader();
    return this.#write(this.#reader.frame(frame));
  }

  end(): Buffer | null {
    return this.#reader === null ? null : this.#write(this.#reader.end());
  }

  body(body: Buffer): Buffer {
    const response = this.#upstream.readResponse(body);
    if (response === null)
      throw new GatewayError('bad_gateway', { message: 'The provider answered with something that is no answer.' });
    const blocks = response.blocks.map((block) => (block.type === 'tool_call' ? this.#named(block) : block));
    for (const warning of response.warnings) addWarning(this.#context.warnings, warning);
    const written = this.#caller.writeResponse(
      { ...response, blocks, finish: this.#withoutEcho(response.finish) },
      this.#context,
    );
    this.#tell();
    return written;
  }

  #write(events: readonly ChatEvent[]): Buffer | null {
    this.#writer ??= this.#caller.openWriter(this.#context);
    const [first] = events;
    if (first === undefined) return null;
    // The relay breaks off: it settles the call as failed and tells the caller, whatever the meter thinks of the stream.
    for (const event of events) {
      if (event.type === 'warning') addWarning(this.#context.warnings, event.text);
      if (event.type !== 'error') continue;
      this.#tell();
      throw event.error;
    }
    const bytes = events.length === 1 ? this.#writer.event(this.#renamed(first)) : this.#writeAll(this.#writer, events);
    this.#tell();
    return nothingOr(bytes);
  }

  #writeAll(writer: StreamWriter, events: readonly ChatEvent[]): Buffer {
    return Buffer.concat(events.map((event) => writer.event(this.#renamed(event))));
  }

  /** For nearly every frame there is nothing new. */
  #tell(): void {
    const { warnings } = this.#context;
    if (warnings.size === this.#told) return;
    this.#told = warnings.size;
    const { echo } = this.#call;
    // A warning names the provider's own words.
    this.#call.warnings = listWarnings(warnings).filter((text) => echo?.isIn(text, 'warning') !== true);
  }

  /** With tools under the names the caller gave them. */
  #renamed(event: ChatEvent): ChatEvent {
    if (event.type === 'finish') return { ...event, finish: this.#withoutEcho(event.finish) };
    if (this.#toolNames === null || event.type !== 'block_start' || event.block.type !== 'tool_call') return event;
    return { ...event, block: this.#named(event.block) };
  }

  /** What a provider calls the reason is given to callers, too. */
  #withoutEcho(finish: Finish): Finish {
    const { native, explanation } = finish;
    const leaksCredential = (said: string | null) =>
      said !== null && this.#call.echo?.isIn(said, 'finish reason') === true;
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
