/** A meter of an answer that may be longer than its caller allowed: what exceeds the cap is the operator's. */
import type { ReportedParts, Usage } from '../../core/usage.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../dialects/interface/meter.ts';
import type { WholeAnswer } from '../../dialects/kit/relay/whole-answer.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import { cappedUsage } from './answer-bounds.ts';

/** `cap` in tokens. */
export class CappedMeter implements Meter {
  readonly #meter: Meter;
  readonly #cap: number;

  constructor(meter: Meter, cap: number) {
    this.#meter = meter;
    this.#cap = cap;
  }

  frame(frame: Frame): void {
    this.#meter.frame(frame);
  }

  get addedText(): number {
    return this.#meter.addedText ?? 0;
  }

  again(textBytes: number): void {
    this.#meter.again?.(textBytes);
  }

  get isUnknown(): boolean {
    return this.#meter.isUnknown ?? false;
  }

  body(answer: WholeAnswer): void {
    this.#meter.body(answer);
  }

  usage(): Usage | null {
    return cappedUsage(this.#meter.usage(), this.#cap);
  }

  reported(): ReportedParts {
    return this.#meter.reported();
  }

  usageInvalid(): boolean {
    return this.#meter.usageInvalid();
  }

  delivered(): Delivered {
    const { outputBytes, outputTokens } = this.#meter.delivered();
    // A token may be a single byte, so without a tokenizer the cap is the estimate.
    return {
      outputBytes,
      outputTokens: outputBytes === 0 ? outputTokens : Math.min(outputTokens ?? this.#cap, this.#cap),
    };
  }

  get state(): MeterState {
    return this.#meter.state;
  }

  get failure(): SilentFailure | null {
    return this.#meter.failure;
  }

  get ended(): boolean {
    return this.#meter.ended;
  }

  get upstreamId(): string | null {
    return this.#meter.upstreamId;
  }

  get finishReason(): string | null {
    return this.#meter.finishReason;
  }
}
