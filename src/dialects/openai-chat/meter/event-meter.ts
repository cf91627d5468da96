/** What meters of answers that are no text have in common: one event after the other, or bytes alone, until an end or an error. */
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import type { ReportedParts, Usage } from '../../../core/usage.ts';
import { isBytes } from '../../../wire/frames/byte-splitter.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../interface/meter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';

export abstract class EventMeter implements Meter {
  state: MeterState = 'open';
  ended = false;
  failure: SilentFailure | null = null;
  isUnknown = false;
  readonly finishReason = null;
  readonly upstreamId = null;

  frame(frame: Frame): void {
    this.isUnknown = false;
    if (isBytes(frame)) this.bytes(frame.bytes.length);
    else if (frame.data === null) this.isUnknown = true;
    else if (frame.data.equals(DONE)) this.end(this.stateAtDone());
    else this.#read(asObject(frame.json()));
  }

  /** A whole answer where only a stream is one. */
  body(_answer?: WholeAnswer): void {
    this.end('failed');
  }

  abstract usage(): Usage | null;
  abstract usageInvalid(): boolean;
  abstract delivered(): Delivered;

  reported(): ReportedParts {
    return this.usage() === null ? 'none' : 'all';
  }

  /** Neither unreadable nor an error. Sets `isUnknown` if it is not part of an answer. */
  protected abstract event(event: JsonObject, type: string): void;

  /** The state after the mark that some servers end every stream with. */
  protected abstract stateAtDone(): MeterState;

  /** Bytes of an answer without events. */
  protected bytes(_count: number): void {
    this.isUnknown = true;
  }

  protected end(state: MeterState): void {
    this.state = state;
    this.ended = true;
  }

  #read(event: JsonObject | null): void {
    const type = asText(event?.['type']) ?? '';
    if (event === null) this.failure = 'unreadable';
    else if (type === 'error' || asObject(event['error']) !== null) this.end('failed');
    else this.event(event, type);
  }
}

const DONE = Buffer.from('[DONE]');
