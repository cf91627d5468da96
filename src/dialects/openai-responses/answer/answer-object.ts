/** The response object, whole and as the events of a stream have it: https://platform.openai.com/docs/api-reference/responses/object */
import type { WriteContext } from '../../interface/stream-writer.ts';
import { type AnswerNeeds, settingsOf } from '../request/answer-needs.ts';

/** What changes while an answer is written. */
export interface AnswerState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly error: object | null;
  readonly incomplete_details: object | null;
  readonly output: readonly object[];
  readonly usage: object | null;
}

export class AnswerObject {
  readonly #head: string;
  /** What comes after the fields that change, up to the end. */
  readonly #rest: string;

  constructor({ id, created, callerModel, provider, forAnswer }: WriteContext) {
    const settings = (forAnswer as AnswerNeeds | undefined)?.settings ?? settingsOf({});
    this.#head = JSON.stringify({ id: responseId(id), object: 'response', created_at: created }).slice(0, -1);
    this.#rest = JSON.stringify({ model: callerModel, provider, ...settings }).slice(1);
  }

  /** As JSON. */
  write(state: AnswerState): string {
    return `${this.#head},${JSON.stringify(state).slice(1, -1)},${this.#rest}`;
  }
}

/** `id`: the call's, without a prefix. */
export function responseId(id: string): string {
  return `resp_${id}`;
}
