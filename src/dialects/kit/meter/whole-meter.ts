/** Meters an answer that is never a stream and has no output to count: its usage, and whether it is an answer at all. */
import type { JsonObject } from '../../../core/json-object.ts';
import type { ReportedParts, Usage } from '../../../core/usage.ts';
import type { Delivered, Meter, MeterState } from '../../interface/meter.ts';
import type { WholeAnswer } from '../relay/whole-answer.ts';

/** What an answer reports of its usage. */
export interface WholeUsage {
  readonly usage: Usage;
  readonly isInvalid: boolean;
}

export interface WholeReading {
  /** Whether the object is an answer, and not an error or something else. */
  isAnswer(answer: JsonObject): boolean;
  /** Null if it reports none. */
  readUsage(answer: JsonObject): WholeUsage | null;
  /** The provider's id of the answer. */
  idOf?(answer: JsonObject): string | null;
}

export class WholeMeter implements Meter {
  state: MeterState = 'open';
  ended = false;
  readonly failure = null;
  readonly finishReason = null;
  upstreamId: string | null = null;
  readonly #reading: WholeReading;
  #usage: WholeUsage | null = null;

  constructor(reading: WholeReading) {
    this.#reading = reading;
  }

  /** These answers are never streams. */
  frame(): void {
    this.state = 'failed';
  }

  body({ object: answer }: WholeAnswer): void {
    this.ended = true;
    this.state = answer !== null && this.#reading.isAnswer(answer) ? 'finished' : 'failed';
    if (answer === null) return;
    this.#usage = this.#reading.readUsage(answer);
    this.upstreamId = this.#reading.idOf?.(answer) ?? null;
  }

  usage(): Usage | null {
    return this.#usage === null || this.#usage.isInvalid ? null : this.#usage.usage;
  }

  reported(): ReportedParts {
    return this.usage() === null ? 'none' : 'all';
  }

  usageInvalid(): boolean {
    return this.#usage?.isInvalid === true;
  }

  delivered(): Delivered {
    return NOTHING;
  }
}

const NOTHING: Delivered = { outputBytes: 0, outputTokens: 0 };
