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
export interface UnitUse extends Pick<Usage, 'units' | 'unitLine'> {
  /** Set if neither the answer says so nor can it be counted in it. */
  readonly isEstimate?: true;
}

export interface WholeReading {
  /** Whether the object is an answer, and not an error or something else. */
  isAnswer(answer: JsonObject): boolean;
  /** Null if it reports none. */
  readUsage(answer: JsonObject): WholeUsage | null;
  /** What it has that is not counted in tokens, with the place of its price. Null or absent if nothing. */
  readUnits?(answer: JsonObject): UnitUse | null;
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
  #units: UnitUse | null = null;

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
    this.#units = this.#reading.readUnits?.(answer) ?? null;
    const outputTokens = this.#reading.tokensOf?.(answer) ?? 0;
    this.#delivered = { outputBytes: 0, outputTokens, ...(this.#units !== null && { units: countOf(this.#units) }) };
  }

  /** Units that have a price need no report of tokens besides. */
  #readUsage(answer: JsonObject): WholeUsage | null {
    const units = this.#units;
    const read = this.#reading.readUsage(answer);
    if (units === null) return read;
    if (units.isEstimate === true && units.unitLine !== 0) return null;
    const count = countOf(units);
    if (read !== null) return { ...read, usage: { ...read.usage, ...count } };
    return units.unitLine === 0 ? null : { usage: { ...NO_USAGE, ...count }, isInvalid: false };
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

function countOf({ units, unitLine }: UnitUse): Pick<Usage, 'units' | 'unitLine'> {
  return { units, unitLine };
}

const NOTHING: Delivered = { outputBytes: 0, outputTokens: 0 };
