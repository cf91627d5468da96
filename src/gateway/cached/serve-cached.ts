/**
 * Answers a call from the response cache. It is judged, limited and recorded like any other, but no provider is asked, no money is held and
 * nothing is charged; its settlement says what it saved. If an equal call is running, this one waits for it rather than asking a provider for
 * the same.
 */

import type { Bank } from '../../billing/bank.ts';
import { refusalError } from '../../billing/refusal.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { KeptAnswer } from '../../response-cache/kept-answer.ts';
import type { Recording } from '../../response-cache/recording.ts';
import type { Found } from '../../response-cache/response-cache.ts';
import { holdRequest } from '../admission/hold-request.ts';
import { savingOf } from '../admission/saving-of.ts';
import { streamHeaders, warningHeaders } from '../answer/answer-headers.ts';
import { type JudgePorts, judgeChoice } from '../arrival/judge.ts';
import type { Call, Cancellable } from '../call.ts';
import { type MemoryBudget, memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { sendBody } from '../end/send-body.ts';
import { finish, type SettlePorts } from '../end/settle.ts';
import type { Admitted, Paid } from '../phases.ts';
import type { CacheUse } from './cache-use.ts';
import type { LookUpPorts } from './look-up.ts';
import { recut } from './recut-answer.ts';

export interface ServeCachedPorts extends LookUpPorts, JudgePorts, Omit<SettlePorts, 'bank'> {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'hold'> & SettlePorts['bank'];
  readonly memory: MemoryBudget;
}

/** Others wait this long for the call that asked first, then ask for themselves. */
const WAIT_MS_MAX = 30_000;

/**
 * Resolves to true if the caller was answered; otherwise the call's own answer is recorded from now on. Throws `GatewayError` 503 if the
 * ledger cannot record it, or there is no memory for the answer.
 */
export async function servedFromCache(ports: ServeCachedPorts, call: Paid, use: CacheUse): Promise<boolean> {
  const { key } = use;
  if (key === null) return false;
  // Nothing is awaited between this and the recording: of equal requests that arrived together, one is the first.
  const running = use.found !== null || use.wish.isRefresh ? null : ports.responseCache.runningWith(key);
  if (running !== null) {
    await waitFor(ports, call, running);
    checkGoesOn(call);
    judgeChoice(ports, call);
  }
  const found = use.found ?? findAgain(ports, call, use, key);
  if (found === null) {
    use.recording = ports.responseCache.record(call.key, key, use.wish.maxAgeMs);
    return false;
  }
  use.answer = found.answer;
  call.warnings = found.answer.warnings;
  await settle(ports, call, found.answer);
  send(call, found);
  return true;
}

/** An answer in another form, or one that another call got in the meantime. */
function findAgain(
  { responseCache }: ServeCachedPorts,
  call: Paid,
  { form, wish }: CacheUse,
  key: string,
): Found | null {
  const { projectId } = call.key;
  if (wish.isRefresh) return null;
  return (
    responseCache.find(projectId, key, form, wish.maxAgeMs) ??
    recut(call, responseCache.findOther(projectId, key, form, wish.maxAgeMs))
  );
}

function waitFor({ clock }: ServeCachedPorts, call: Call, running: Recording): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new Waiting(call, () => {
      timer.cancel();
      resolve();
    });
    const timer = clock.after(WAIT_MS_MAX, () => waiting.end());
    void running.over.then(() => waiting.end());
  });
}

class Waiting implements Cancellable {
  readonly #call: Call;
  readonly #done: () => void;
  #isOver = false;

  constructor(call: Call, done: () => void) {
    this.#call = call;
    this.#done = done;
    call.active = this;
  }

  cancel(ending: Ending): void {
    if (ending !== 'caller_left') this.#call.cutBetweenSteps = ending;
    this.end();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#call.active = null;
    this.#done();
  }
}

async function settle(ports: ServeCachedPorts, call: Paid, { body }: KeptAnswer): Promise<void> {
  // The answer stays in memory until the caller has received it, even if the cache drops it.
  if (body.length > UNCOUNTED_BYTES) memoryOf(call, ports.memory).take(body.length);
  const held = ports.bank.hold(holdRequest(call, null));
  const answer = held instanceof Promise ? await held : held;
  if (answer.refused !== null) throw refusalError(answer, ports.clock.now(), savingOf(call), call.key.accountId);
  call.hold = answer;
  try {
    await finish(ports, call as Paid & Admitted, 'complete', call.peek.stream ? null : body);
  } catch (cause) {
    throw new GatewayError('ledger_unavailable', { cause });
  }
}

function send(call: Paid, { answer, ageMs }: Found): void {
  const { body } = answer;
  call.status = 200;
  call.countSent(body);
  const headers = [...call.idHeaders(), 'age', String(Math.floor(ageMs / 1000))];
  if (call.peek.stream) headers.push(...streamHeaders(call.dialect.streamForm?.(call.inbound) ?? null));
  else headers.push('content-type', 'application/json', 'content-length', String(body.length));
  call.response.writeHead(200, [...headers, ...warningHeaders(call)]);
  sendBody(call.response, body);
}
