/** The lane to a provider that has the operation in a format of its own (`dialects/interface/operation-format.ts`). */
import { assert } from '../../core/assert.ts';
import type { Body, StreamedBody } from '../../core/body.ts';
import { GatewayError } from '../../core/errors.ts';
import { type AnyRelayDialect, isRelayDialect } from '../../dialects/index.ts';
import type { FormatPlace, FormatRequest, OperationFormat } from '../../dialects/interface/operation-format.ts';
import type { StreamingPart } from '../../dialects/interface/operation-part.ts';
import type { FrameGuard, Relay } from '../../dialects/interface/relay.ts';
import type { UpstreamError } from '../../dialects/interface/upstream-error.ts';
import type { Candidate } from '../../routing/candidate.ts';
import { answerContext } from '../answer/answer-context.ts';
import type { Admitted } from '../phases.ts';
import type { Lane } from './lane.ts';
import type { OpenedFormat } from './opened-format.ts';

export class FormatLane implements Lane, OpenedFormat {
  readonly upstream: AnyRelayDialect;
  /** What the provider sends is checked as a relayed answer is. */
  readonly shared: AnyRelayDialect;
  readonly own: OpenedFormat = this;
  readonly #call: Admitted;
  readonly #candidate: Candidate;
  readonly #format: OperationFormat;
  readonly #request: FormatRequest;

  /** Throws `GatewayError` 400 if the format cannot express the request. */
  constructor(call: Admitted, candidate: Candidate, format: OperationFormat) {
    const { dialect } = call;
    assert(isRelayDialect(dialect), 'a format replaces the part of a dialect that providers speak');
    this.#call = call;
    this.#candidate = candidate;
    this.#format = format;
    this.#request = format.writeRequest(call, candidate.target.upstreamModel);
    this.upstream = dialect;
    this.shared = dialect;
  }

  get name(): string {
    return this.#format.name;
  }

  get headers(): Record<string, string> {
    return this.#request.headers;
  }

  get body(): Body | StreamedBody {
    return this.#request.body;
  }

  get warnings(): readonly string[] {
    return this.#request.warnings ?? [];
  }

  get place(): FormatPlace {
    return this.#request.place;
  }

  get streaming(): StreamingPart {
    return this.#format.streaming ?? NO_STREAMS;
  }

  openRelay(guard: FrameGuard): Relay {
    return this.#format.openRelay(this.#call, answerContext(this.#call, this.#candidate.target, guard));
  }

  checkWhole(): void {
    const { place } = this.#format.writeRequest(this.#call, this.#candidate.target.upstreamModel);
    if (place.below === this.place.below && place.query === this.place.query) return;
    throw new GatewayError('invalid_value', {
      message:
        'A field after the file says how it is to be read, and its provider has to know that first: send the field "file" last.',
    });
  }

  wholeType(): string {
    return this.#format.wholeType?.(this.#call) ?? 'application/json';
  }

  readError(status: number, headers: Parameters<OperationFormat['readError']>[1], body: Buffer): UpstreamError {
    return this.#format.readError(status, headers, body);
  }
}

const NO_STREAMS: StreamingPart = { framings: [] };
