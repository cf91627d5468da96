/** Relays a whole answer, in either lane: it is read to its end, metered, settled, edited or translated, and sent. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WholeBody } from '../../core/body.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import { asGatewayError, GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Task } from '../../core/turns/turn-queue.ts';
import type { AnswerWords } from '../../dialects/interface/answer-words.ts';
import { WholeAnswer } from '../../dialects/kit/relay/whole-answer.ts';
import type { AnswerSink } from '../../upstream/answer-sink.ts';
import { BodyCollector, type CollectedBody } from '../../upstream/body-collector.ts';
import { Frame } from '../../wire/frames/frame.ts';
import type { Cancellable } from '../call.ts';
import { inSteps, memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { refuseTooManyInWhole, refuseTooMuchInAnswer, refuseUnparsableAnswer } from '../capacity/parse-limits.ts';
import { cutError } from '../cut-error.ts';
import { sendBody } from '../end/send-body.ts';
import { finish, settleFailure } from '../end/settle.ts';
import { type CredentialEcho, withoutEcho } from '../exchange/credential-echo.ts';
import type { Asked } from '../phases.ts';
import type { Watched } from '../watch.ts';
import { answerFault } from './answer-fault.ts';
import { upstreamRequestId, warningHeaders } from './answer-headers.ts';
import type { RelayDone, RelayedAnswer, RelayPorts } from './relayed-answer.ts';

/** A longer answer is read in several turns of the event loop. */
const TURN_BYTES = 1024 * 1024;
/** The answer of a line is in memory as often, about, while it is sealed for its settlement and for its file. */
const COPIES_OF_LINE = 3;

/** Looks for the credential in a part of an answer that is JSON. */
type AnswerPart = (echo: CredentialEcho, bytes: Buffer, object: object, words: AnswerWords) => boolean;
const VALUES: AnswerPart = (echo, _bytes, object, words) => echo.isInValues(object, words);
const DROPPED: AnswerPart = (echo, bytes) => echo.isInDropped(bytes);
const ALL: AnswerPart = (echo, bytes, object, words) =>
  VALUES(echo, bytes, object, words) || DROPPED(echo, bytes, object, words);

export class WholeRelay implements AnswerSink, CollectedBody, Watched, Cancellable, Task {
  index = NO_INDEX;
  readonly #ports: RelayPorts;
  readonly #call: Asked;
  readonly #answer: RelayedAnswer;
  readonly #done: RelayDone;
  readonly #collector: BodyCollector;
  /** Set once the answer is complete: from then on it is not cut off, so that what the provider reported is charged. */
  #body: Buffer | null = null;
  #over = false;
  #receivedAt: number;
  #bytes = 0;
  /** Bytes that have been counted, or need not be. */
  #counted = UNCOUNTED_BYTES;

  constructor(ports: RelayPorts, call: Asked, answer: RelayedAnswer, done: RelayDone) {
    this.#ports = ports;
    this.#call = call;
    this.#answer = answer;
    this.#done = done;
    this.#receivedAt = call.firstByteAt;
    this.#collector = new BodyCollector(ports.limits.answerBytesMax, this);
    call.active = this;
    ports.watch.add(this);
  }

  cancel(ending: Ending): void {
    if (this.#body !== null) return;
    if (ending === 'caller_left') return this.#leave();
    this.#answer.flow.abort();
    this.#refuse(cutError(ending));
  }

  chunk(bytes: Buffer): void {
    if (this.#over) return;
    this.#receivedAt = this.#ports.clock.monotonic();
    this.#bytes += bytes.length;
    if (this.#bytes > this.#counted && !this.#count()) return;
    this.#collector.chunk(bytes);
  }

  /** Counts the memory of a large answer; false if there is none left, and the answer was dropped. */
  #count(): boolean {
    const wanted = inSteps(this.#bytes);
    try {
      const copies = this.#call.line === null ? 1 : COPIES_OF_LINE;
      memoryOf(this.#call, this.#ports.memory).takeForAnswer((wanted - this.#counted) * copies);
    } catch (error) {
      this.#answer.flow.abort();
      this.#refuse(asGatewayError(error));
      return false;
    }
    this.#counted = wanted;
    return true;
  }

  end(): void {
    this.#collector.end();
  }

  fail(error: unknown): void {
    this.#collector.fail(error);
  }

  whole(body: Buffer): void {
    this.#body = body;
    this.#ports.turnQueues.answers.join(this);
  }

  run(): void {
    const body = this.#body;
    if (this.#over || body === null) return;
    if (body.length > TURN_BYTES) return void this.#deliverInTurns(body);
    try {
      const answer = this.#read(body);
      if (this.#isGood(answer) && !this.#isLeaking(answer)) this.#deliver(answer);
    } catch (error) {
      this.#fail(error, body);
    }
  }

  /** Each step takes some milliseconds for each 10 MB: calls run in between. Never rejects. */
  async #deliverInTurns(body: Buffer): Promise<void> {
    try {
      await nextTurn();
      const texts = refuseTooMuchInAnswer(body, this.#ports.limits);
      await nextTurn();
      refuseTooManyInWhole(body, this.#ports.limits);
      const answer = new WholeAnswer(body, texts);
      await nextTurn();
      // It is parsed when it is first asked for.
      void answer.object;
      await nextTurn();
      if (!this.#isGood(answer)) return;
      await nextTurn();
      if (this.#isLeaking(answer, VALUES)) return;
      await nextTurn();
      if (this.#isLeaking(answer, DROPPED)) return;
      await nextTurn();
      this.#deliver(answer);
    } catch (error) {
      this.#fail(error, body);
    }
  }

  /** An uncaught error would leave the caller waiting for ever. */
  #fail(error: unknown, body: Buffer): void {
    this.#refuse(asGatewayError(withoutEcho(this.#call.echo, error, body, 'answer')));
  }

  tooLarge(): void {
    this.#answer.flow.abort();
    this.#refuse(new GatewayError('bad_gateway', { message: "The provider's answer is too large." }));
  }

  broken(cause: unknown): void {
    this.#call.connectionFailed(cause);
    const message = 'The connection to the provider was lost before the answer was complete.';
    this.#refuse(new GatewayError('bad_gateway', { message, cause }));
  }

  check(nowMs: number): void {
    if (this.#body !== null) return;
    const { idleMs, totalMs } = this.#ports.timeouts;
    const isSilent = nowMs - this.#receivedAt >= idleMs;
    if (!isSilent && nowMs - this.#call.startedAt < totalMs) return;
    this.#call.outlasted = !isSilent;
    this.#answer.flow.abort();
    this.#refuse(new GatewayError('upstream_timeout'));
  }

  #read(body: Buffer): WholeAnswer {
    return new WholeAnswer(body, refuseUnparsableAnswer(body, this.#ports.limits));
  }

  /** False if it was refused. */
  #isGood(answer: WholeAnswer): boolean {
    const call = this.#call;
    const { relay } = this.#answer;
    const { meter } = relay;
    relay.readBody(answer);
    if (meter.state === 'failed' || meter.state === 'open') {
      call.answerFault = answerFault(call, new Frame(answer.bytes, null, answer.bytes, 0));
      this.#refuse(new GatewayError('bad_gateway', { message: 'The provider returned an invalid response.' }));
      return false;
    }
    if (call.peek.stream && this.#answer.own === null) {
      const message = 'The provider sent a complete response instead of a stream.';
      this.#refuse(new GatewayError('bad_gateway', { message }));
      return false;
    }
    return true;
  }

  /** True if it was refused. */
  #isLeaking(answer: WholeAnswer, part: AnswerPart = ALL): boolean {
    if (!this.#leaksCredential(answer, part)) return false;
    this.#refuse(new GatewayError('bad_gateway'));
    return true;
  }

  #deliver(answer: WholeAnswer): void {
    const call = this.#call;
    const { relay } = this.#answer;
    const { meter } = relay;
    const edited = relay.editBody(answer);
    this.#stop();
    const settled = finish(this.#ports, call, meter.state === 'empty' ? 'empty' : 'complete', edited);
    // Nothing of the answer has been sent, so the hold did not have to be durable.
    settled.then(
      () => this.#done(this.#write(edited)),
      (cause) => this.#done(settleFailure(cause)),
    );
  }

  /** In a translated answer, everything but the words is our own. */
  #leaksCredential({ bytes, object }: WholeAnswer, part: AnswerPart): boolean {
    const { echo } = this.#call;
    const { shared } = this.#answer;
    if (echo === null || shared === null) return false;
    if (object === null) return echo.isIn(bytes, 'answer');
    return part(echo, bytes, object, shared.answerWords);
  }

  /** Null on success. */
  #write(body: WholeBody): GatewayError | null {
    try {
      this.#send(body);
      return null;
    } catch (error) {
      return asGatewayError(error);
    }
  }

  #send(body: WholeBody): void {
    const call = this.#call;
    call.status = 200;
    call.countSent(body);
    const headers = call.idHeaders();
    const type = this.#answer.own?.wholeType() ?? 'application/json';
    headers.push('content-type', type, 'content-length', String(body.length));
    headers.push(...upstreamRequestId(this.#answer.headers, call.echo), ...warningHeaders(call));
    call.response.writeHead(200, headers);
    sendBody(call.response, body);
  }

  /** Nothing has reached the caller: the exchange decides what comes next. */
  #refuse(error: GatewayError): void {
    if (this.#over) return;
    this.#stop();
    this.#done(error);
  }

  #leave(): void {
    if (this.#over) return;
    this.#stop();
    this.#answer.flow.abort();
    this.#call.status = 499;
    finish(this.#ports, this.#call, 'caller_left').then(
      () => this.#done(null),
      (cause) => this.#done(settleFailure(cause)),
    );
  }

  #stop(): void {
    this.#over = true;
    this.#call.active = null;
    this.#ports.watch.delete(this);
  }
}
