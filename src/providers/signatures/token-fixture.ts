/** For tests: services that hand out tokens and keys, as scripts; no network. */
import { ManualClock } from '../../core/clock.ts';
import type { Outside, OutsideAnswer, OutsideRequest } from '../outside.ts';

export interface ScriptedOutside extends Outside {
  readonly clock: ManualClock;
  /** Every request so far. */
  readonly asked: readonly OutsideRequest[];
  /** What answers from now on; an error is a connection that failed. */
  play(script: (request: OutsideRequest) => Answer | Promise<Answer>): void;
}

export type Answer = Partial<Omit<OutsideAnswer, 'body'>> & { readonly body?: unknown };

export function scriptedOutside(environment: Outside['environment'] = {}): ScriptedOutside {
  const asked: OutsideRequest[] = [];
  let answer: (request: OutsideRequest) => Answer | Promise<Answer> = () => ({ status: 500 });
  return {
    clock: new ManualClock(Date.UTC(2026, 10, 23, 9)),
    environment,
    asked,
    play(script) {
      answer = script;
    },
    async request(request) {
      asked.push(request);
      const { status = 200, headers = {}, body = '' } = await answer(request);
      return { status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
    },
  };
}
