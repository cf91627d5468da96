/**
 * The translate lane: a request from the caller's format through the neutral form into the
 * provider's, and the answer back. What it keeps of both formats is nothing: they are the dialects'.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BoundRequest } from '../billing/bound.ts';
import { capToSend } from '../billing/default-cap.ts';
import type { Model, Target } from '../catalog/model.ts';
import { largestMedia } from '../chat/largest-media.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ChatEvent } from '../chat/response.ts';
import { addWarning, listWarnings } from '../chat/warnings.ts';
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import type {
  Dialect,
  FramePatcher,
  Inbound,
  StreamReader,
  StreamWriter,
  WriteContext,
  WrittenRequest,
} from '../dialects/dialect.ts';
import { dialects } from '../dialects/index.ts';
import type { Provider } from '../providers/provider.ts';
import { prepareDocument } from '../wire/json-scan.ts';
import { makeRoom } from '../wire/json-write.ts';
import type { SseFrame } from '../wire/sse.ts';
import { answerContext } from './answer-context.ts';
import type { Call } from './call.ts';
import { checkGoesOn } from './goes-on.ts';
import { writeTargetOf } from './write-target.ts';
import { writtenBound } from './written-bound.ts';

export interface TranslatedRequest extends WrittenRequest {
  readonly dialect: Dialect;
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
   * `outputCap`: where the bank lowered what a call without a cap of its own may have; `room` as writers take it. Throws
   * `GatewayError` 400 where the target's format cannot say what the caller means.
   */
  writtenFor(target: Target, outputCap: number | null = null, room: Buffer | null = null): TranslatedRequest {
    if (this.#target === target && this.#outputCap === outputCap && this.#written !== null) return this.#written;
    const provider = this.#providers.get(target.provider);
    const [name] = target.dialects;
    assert(
      provider !== undefined && name !== undefined,
      'a target names a configured provider, which speaks something',
    );
    const dialect = dialects[name];
    const own = this.request.outputCap;
    const request = own === null ? { ...this.request, outputCap: capToSend(target, outputCap) } : this.request;
    const written = dialect.writeRequest(request, writeTargetOf(this.#model, target, provider), room);
    this.#outputCap = outputCap;
    this.#target = target;
    this.#written = { ...written, dialect, warnings: [...this.request.warnings, ...written.warnings] };
    return this.#written;
  }

  /** What the bound of a call to `target` goes by; `asked` is the caller's own request. Writes for it where that has not been done. */
  boundRequest(asked: BoundRequest, target: Target): BoundRequest {
    const written = this.writtenFor(target);
    return writtenBound(asked, this.request, written, written.dialect);
  }

  /** Whether the caller asked to see what the model thinks. */
  get showsReasoning(): boolean {
    const { reasoning } = this.request;
    return reasoning !== null && !reasoning.hidden && reasoning.effort !== 'none';
  }
}

/**
 * Before a call is admitted: where its first target speaks another format, the request is read and
 * written for it, so that what cannot be said is refused while nothing is held. Null when that is done.
 */
export function translateWhereNeeded(call: Call): Promise<void> | null {
  const { dialect, inbound, model, targets } = call;
  const [first] = targets;
  if (first === undefined || first.dialects.includes(dialect.name)) return null;
  assert(inbound !== null && model !== null, 'a translation follows the choice of a model');
  if (inbound.document.bytes.length > TURN_BYTES) return translateInTurns(call, inbound, model, first);
  call.translation = new Translation(dialect.readRequest(inbound), model, call.providers);
  call.translation.writtenFor(first);
  return null;
}

async function translateInTurns(call: Call, inbound: Inbound, model: Model, first: Target): Promise<void> {
  prepareDocument(inbound.document);
  await letOthersRun(call);
  const request = call.dialect.readRequest(inbound);
  call.translation = new Translation(request, model, call.providers);
  await letOthersRun(call);
  const room = makeRoom(inbound.document.bytes.length, largestMedia(request));
  if (room !== null) await letOthersRun(call);
  call.translation.writtenFor(first, null, room);
  // What follows begins to send it.
  await letOthersRun(call);
}

async function letOthersRun(call: Call): Promise<void> {
  // The first comes before the loop has looked at sockets and timers again, the second after.
  await nextTurn();
  await nextTurn();
  checkGoesOn(call);
}

/** Reading a larger request takes milliseconds, and writing it as many again: others have a turn in between. */
const TURN_BYTES = 1024 * 1024;

/**
 * Reads the provider's answer and writes it in the caller's format, frame by frame or whole. What is lost on the
 * way is added to the call's warnings at once: its record may be written after any frame.
 */
export class TranslatedAnswer implements FramePatcher {
  readonly #call: Call;
  readonly #caller: Dialect;
  readonly #upstream: Dialect;
  readonly #context: WriteContext;
  readonly #toolNames: ReadonlyMap<string, string> | null;
  #reader: StreamReader | null = null;
  #writer: StreamWriter | null = null;
  /** How many warnings the call has been told of. */
  #told: number;

  constructor(call: Call, target: Target, upstream: Dialect) {
    assert(call.peek !== null && call.translation !== null, 'an answer follows its request');
    this.#call = call;
    this.#caller = call.dialect;
    this.#upstream = upstream;
    this.#toolNames = call.translation.writtenFor(target).toolNames;
    this.#context = {
      callerModel: call.peek.model,
      id: call.id,
      created: Math.floor(call.admittedAt / 1000),
      wantsUsage: call.peek.wantsUsage,
      showsReasoning: call.translation.showsReasoning,
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
    const written = this.#caller.writeResponse({ ...response, blocks }, this.#context);
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
    if (this.#toolNames === null || event.type !== 'block_start' || event.block.type !== 'tool_call') return event;
    return { ...event, block: this.#named(event.block) };
  }

  #named<Called extends { readonly name: string }>(call: Called): Called {
    return { ...call, name: this.#toolNames?.get(call.name) ?? call.name };
  }
}

function nothingOr(bytes: Buffer): Buffer | null {
  return bytes.length === 0 ? null : bytes;
}
