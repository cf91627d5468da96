/**
 * The end of an answer is written, but the caller may take its time to read it, or never do so.
 * Until it has, its call counts as running: a shutdown waits for it, and who takes nothing for as
 * long as a write may stall is cut off.
 */

import type { ServerResponse } from 'node:http';
import { bytesOf, textOf, type WholeBody } from '../../core/body.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Call, Step } from '../call.ts';
import type { Gateway } from '../gateway.ts';
import type { Watched } from '../watch.ts';

/** Node counts a write only when it is complete, so progress is seen in pieces of this size. */
const PIECE_BYTES = 64 * 1024;
/** A longer text is copied more often than a second write costs. */
const TEXT_BYTES_MAX = 16 * 1024;
/** What is left for a caller that is told of a shutdown at its deadline. */
const LAST_MOMENT_MS = 1_000;

/** Ends a response with a body, a piece at a time where it is large; `handOver` sees it through. */
export function endInPieces(response: ServerResponse, body: WholeBody): void {
  // Node sends a text together with the head, in one write; a buffer takes a second one.
  if (body.length <= TEXT_BYTES_MAX) return void response.end(textOf(body), 'latin1');
  const bytes = bytesOf(body);
  if (bytes.length <= PIECE_BYTES) return void response.end(bytes);
  let at = 0;
  const writeOn = () => {
    while (bytes.length - at > PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      at += PIECE_BYTES;
      if (!response.write(piece)) return;
    }
    response.off('drain', writeOn).end(bytes.subarray(at));
  };
  response.on('drain', writeOn);
  writeOn();
}

/** Null when the operating system has taken all of the answer, or the caller is gone; else resolves when that is so. */
export function handOver(gateway: Gateway, call: Call): Promise<void> | null {
  const { response } = call;
  // Without a socket it is a refusal that waits behind another answer: there is nothing to watch yet.
  if (response.destroyed || response.writableFinished || response.socket === null) return null;
  if (response.writableEnded && response.socket.writableLength === 0) return null;
  return new Promise((resolve) => new HandOver(gateway, call, resolve));
}

class HandOver implements Watched, Step {
  index = NO_INDEX;
  readonly #gateway: Gateway;
  readonly #call: Call;
  readonly #done: () => void;
  #taken: number;
  #takenAt: number;

  constructor(gateway: Gateway, call: Call, done: () => void) {
    this.#gateway = gateway;
    this.#call = call;
    this.#done = done;
    this.#taken = takenBytes(call.response);
    this.#takenAt = gateway.clock.monotonic();
    call.step = this;
    gateway.watch.add(this);
  }

  check(nowMs: number): void {
    const taken = takenBytes(this.#call.response);
    const isCut = this.#call.ending === 'drained' || this.#call.cutBetweenSteps !== null;
    const patienceMs = isCut ? LAST_MOMENT_MS : this.#gateway.timeouts.writeStallMs;
    if (taken > this.#taken) {
      this.#taken = taken;
      this.#takenAt = nowMs;
    } else if (nowMs - this.#takenAt >= patienceMs) {
      this.#call.response.destroy();
    }
  }

  cut(ending: Ending): void {
    if (ending === 'caller_left') this.#over();
    else this.#call.response.destroy();
  }

  /** All was taken, or the caller is gone: the response was closed either way. */
  #over(): void {
    this.#call.step = null;
    this.#gateway.watch.delete(this);
    this.#done();
  }
}

function takenBytes({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
