/** Meters an answer that is never a stream and has no text to count: its usage, and whether it is an answer at all. */
import type { JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, type ReportedParts, type Usage } from '../../../core/usage.ts';
import type { Delivered, Meter, MeterState } from '../../interface/meter.ts';
import type { WholeAnswer } from '../relay/whole-answer.ts';

/** What an answer reports of its usage. */
export interface WholeUsage {
  readonly usage: Usage;
  readonly isInvalid: boolean;
}

/** How many units, and the place of their price. */
export type UnitUse = Pick<Usage, 'units' | 'unitLine'>;

export interface WholeReading {
  /** Whether the object is an answer, and not an error or something else. */
  isAnswer(answer: JsonObject): boolean;
  /** Null if it reports none. */
  readUsage(answer: JsonObject): WholeUsage | null;
  /** What it has that is not counted in tokens, with the place of its price: counted here, so it needs no report. */
  readUnits?(answer: JsonObject): UnitUse;
  /** The tokens of its output, for an estimate if it reports none. Absent if there is no output to count. */
  tokensOf?(answer: JsonObject): number;
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
  #delivered: Delivered = NOTHING;

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
    if (this.state === 'finished') this.#count(answer);
    this.#usage = this.#readUsage(answer);
    this.upstreamId = this.#reading.idOf?.(answer) ?? null;
  }

  #count(answer: JsonObject): void {
    const units = this.#reading.readUnits?.(answer);
    const outputTokens = this.#reading.tokensOf?.(answer) ?? 0;
    this.#delivered = { outputBytes: 0, outputTokens, ...(units !== undefined && { units }) };
  }

  /** Units that have a price need no report of tokens besides. */
  #readUsage(answer: JsonObject): WholeUsage | null {
    const { units } = this.#delivered;
    const read = this.#reading.readUsage(answer);
    if (units === undefined) return read;
    if (read !== null) return { ...read, usage: { ...read.usage, ...units } };
    return units.unitLine === 0 ? null : { usage: { ...NO_USAGE, ...units }, isInvalid: false };
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
    return this.#delivered;
  }
}

const NOTHING: Delivered = { outputBytes: 0, outputTokens: 0 };
