/**
 * How a caller and a candidate's target communicate. If they speak the same format, bytes pass with few edits (relay); otherwise the
 * request is read into the neutral form and rewritten, and so is the answer (translate). An operation that its provider has in a format of
 * its own is written in that (`format-lane.ts`).
 */
import { capToSend } from '../../billing/default-cap.ts';
import { assert } from '../../core/assert.ts';
import type { Body, StreamedBody } from '../../core/body.ts';
import { type AnyProviderDialect, type AnyRelayDialect, isRelayDialect } from '../../dialects/index.ts';
import type { StreamingPart } from '../../dialects/interface/operation-part.ts';
import type { FrameGuard, Relay } from '../../dialects/interface/relay.ts';
import { FrameRelay } from '../../dialects/kit/relay/frame-relay.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Candidate } from '../../routing/candidate.ts';
import { ownFormat } from '../admission/own-format.ts';
import { isRelayed, isTranslated } from '../admission/translate-request.ts';
import { writeTargetOf } from '../admission/write-target.ts';
import { answerContext } from '../answer/answer-context.ts';
import { CappedMeter } from '../answer/capped-meter.ts';
import { TranslatedAnswer } from '../answer/translated-answer.ts';
import type { Admitted, Translated } from '../phases.ts';
import { FormatLane } from './format-lane.ts';
import type { Lane } from './lane.ts';

/** Throws `GatewayError` 400 if a translation cannot express the request. */
export function openLane(call: Admitted, candidate: Candidate, provider: Provider): Lane {
  if (isRelayed(call, candidate)) {
    const format = ownFormat(call, candidate.target, provider);
    return format === null ? new RelayLane(call, candidate, provider) : new FormatLane(call, candidate, format);
  }
  assert(isTranslated(call), 'the request was read for a candidate of another format');
  return new TranslateLane(call, candidate, provider);
}

const NO_WARNINGS: readonly string[] = [];

class RelayLane implements Lane {
  readonly upstream: AnyRelayDialect;
  readonly shared: AnyRelayDialect;
  readonly own = null;
  readonly streaming: StreamingPart | null;
  readonly headers: Record<string, string>;
  readonly body: Body | StreamedBody;
  readonly warnings: readonly string[];
  readonly #call: Admitted;
  readonly #candidate: Candidate;
  readonly #quirks: object;

  constructor(call: Admitted, candidate: Candidate, provider: Provider) {
    const { dialect, hold, inbound, operation, peek } = call;
    const { model, target } = candidate;
    assert(isRelayDialect(dialect), 'a target that speaks the caller’s format can be relayed to');
    const lowered = hold.outputCap;
    const outputCap = peek.outputCap === null ? capToSend(target, lowered) : null;
    this.#quirks = provider.quirksOf(dialect.name);
    const patched = operation.patchRequest(dialect, inbound, peek, {
      operation: operation.name,
      model: target.upstreamModel,
      outputCap,
      quirks: this.#quirks,
      target: peek.needsTarget ? writeTargetOf(model, target, provider, dialect.name) : null,
    });
    this.#call = call;
    this.#candidate = candidate;
    this.upstream = dialect;
    this.shared = dialect;
    this.streaming = operation.streaming?.(dialect) ?? null;
    this.headers = patched.headers;
    this.body = patched.body;
    const { warnings = NO_WARNINGS } = patched;
    this.warnings = outputCap === null ? warnings : [...warnings, capped(outputCap, lowered, call)];
  }

  openRelay(guard: FrameGuard): Relay {
    const { operation, peek } = this.#call;
    const context = answerContext(this.#call, this.#candidate.target, guard);
    return operation.openRelay(this.shared, peek, { ...context, quirks: this.#quirks });
  }
}

class TranslateLane implements Lane {
  readonly upstream: AnyProviderDialect;
  readonly shared = null;
  readonly own = null;
  readonly streaming = null;
  readonly headers: Record<string, string>;
  readonly body: Body;
  readonly warnings: readonly string[];
  readonly #call: Admitted & Translated;
  readonly #candidate: Candidate;
  readonly #provider: Provider;
  /** What the caller pays for, if the provider may send more tokens; null if it may not. */
  readonly #paidCap: number | null;

  constructor(call: Admitted & Translated, candidate: Candidate, provider: Provider) {
    const { hold, translation } = call;
    const lowered = hold.outputCap;
    const written = translation.writtenFor(candidate, lowered);
    const outputCap = translation.request.outputCap === null ? capToSend(candidate.target, lowered) : null;
    this.#call = call;
    this.#candidate = candidate;
    this.#provider = provider;
    this.#paidCap = written.raisedCap === undefined ? null : written.outputCap;
    this.upstream = written.dialect;
    this.headers = { ...written.headers };
    this.body = written.body;
    this.warnings = outputCap === null ? written.warnings : [...written.warnings, capped(outputCap, lowered, call)];
  }

  openRelay(guard: FrameGuard): Relay {
    const { operation, peek } = this.#call;
    const quirks = this.#provider.quirksOf(this.upstream.name);
    const meter = operation.openMeter(this.upstream, peek, this.#candidate.target.tokenizer);
    return new FrameRelay({
      meter: this.#paidCap === null ? meter : new CappedMeter(meter, this.#paidCap),
      editor: new TranslatedAnswer(this.#call, this.#candidate, this.upstream, quirks),
      guard,
      findText: this.upstream.findText,
    });
  }
}

function capped(outputCap: number, lowered: number | null, { dialect }: Admitted): string {
  const why =
    outputCap === lowered ? 'the most that the balance or a budget allows' : "because this model's limit is not known";
  return `the output was capped at ${outputCap} tokens, ${why}; set ${dialect.costLimits.outputCap} to choose`;
}
