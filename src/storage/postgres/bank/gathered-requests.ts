/**
 * Requests about purses, gathered: what is asked for while a statement is under way goes into the next one, all of it together. A transaction
 * costs the database more than the shares in it, so a node that asks for many at once costs little more than one that asks for one.
 */
import type { NodePlace, PurseRef } from '../../../nodes/ports.ts';
import { isDatabaseTrouble, isLockTimeout } from '../engine/postgres-errors.ts';

/** Of one node. */
export interface PurseRequest {
  readonly place: NodePlace;
  readonly items: readonly { readonly purse: PurseRef }[];
}

/** Sends requests of one place, with no purse twice, in one statement. Resolves to an answer for each. */
export type SendTogether<Request, Answer> = (requests: readonly Request[]) => Promise<readonly Answer[]>;

/** So many purses a statement, unless a single request has more: their rows are locked until it ends. */
const PURSES_MAX = 200;

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly answer: PromiseWithResolvers<Answer>;
}

export class GatheredRequests<Request extends PurseRequest, Answer> {
  readonly #send: SendTogether<Request, Answer>;
  #waiting: Waiting<Request, Answer>[] = [];
  #isSending = false;

  constructor(send: SendTogether<Request, Answer>) {
    this.#send = send;
  }

  /** Sent at once if nothing is under way. Rejects if the request's own statement, or one that it shares, could not be executed. */
  ask(request: Request): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.push({ request, answer });
    if (!this.#isSending) void this.#sendAll();
    return answer.promise;
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0, fitting(this.#waiting));
      const error = await this.#answer(taken);
      if (error === null) continue;
      // The fault may be one request's, or one account is kept locked: the others do not suffer from it.
      if (taken.length > 1 && (isLockTimeout(error) || !isDatabaseTrouble(error)))
        for (const each of taken) reject([each], await this.#answer([each]));
      else reject(taken, error);
    }
    this.#isSending = false;
  }

  /** Returns why there is no answer; null if there is. */
  async #answer(taken: readonly Waiting<Request, Answer>[]): Promise<unknown> {
    try {
      const answers = await this.#send(taken.map(({ request }) => request));
      for (const [index, { answer }] of taken.entries()) answer.resolve(answers[index] as Answer);
      return null;
    } catch (error) {
      return error;
    }
  }
}

function reject<Answer>(taken: readonly Waiting<unknown, Answer>[], error: unknown): void {
  if (error !== null) for (const { answer } of taken) answer.reject(error);
}

/** How many requests from the front go together: they stay in order, so that of two about a purse the newer one is not first. */
function fitting<Answer>(waiting: readonly Waiting<PurseRequest, Answer>[]): number {
  const [first] = waiting;
  if (first === undefined) return 0;
  const { slot, epoch, history } = first.request.place;
  const purses = new Set<string>();
  let count = 0;
  for (const { request } of waiting) {
    const { place, items } = request;
    if (place.slot !== slot || place.epoch !== epoch || place.history !== history) break;
    if (count > 0 && purses.size + items.length > PURSES_MAX) break;
    const names = items.map(({ purse }) => `${purse.kind} ${purse.id}`);
    if (count > 0 && names.some((name) => purses.has(name))) break;
    for (const name of names) purses.add(name);
    count += 1;
  }
  return count;
}
