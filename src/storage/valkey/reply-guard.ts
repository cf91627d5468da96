/**
 * Checks what a server sends before the client's parser sees it: a few bytes that are no reply can keep that parser from ever returning, or end
 * the process. Replies of RESP2 (https://valkey.io/topics/protocol/), as small and flat as those of our scripts.
 */
import type { Duplex } from 'node:stream';

/** Of one reply: the most that a round of exchange brings is some 2 MB. */
const REPLY_BYTES_MAX = 16 * 1024 * 1024;
/** Of a status, an error or a number. */
const LINE_BYTES_MAX = 65_536;
const DEPTH_MAX = 8;
/** Of one reply, in all of its lists: what 64 nodes have counted of 1,000 scopes, and 5,000 announcements. */
const ITEMS_MAX = 80_000;
/** In one piece: there are never more than a few commands under way. */
const REPLIES_AT_ONCE_MAX = 100;

const CR = 13;
const LF = 10;
/** `+`, `-`, `:`, `$` and `*`. */
const STATUS = 43;
const ERROR = 45;
const NUMBER = 58;
const TEXT = 36;
const LIST = 42;
const KINDS: ReadonlySet<number> = new Set([STATUS, ERROR, NUMBER, TEXT, LIST]);
/** Of a number, or of a length. */
const DIGITS_MAX = 20;
/** `-1` is null. */
const LENGTH = /^(?:0|[1-9]\d{0,8}|-1)$/;
const WHOLE_NUMBER = /^[+-]?\d{1,19}$/;

/** What was sent is no reply, or a larger one than there can be. */
export class BadReply extends Error {
  override readonly name = 'BadReply';
}

export class ReplyGuard {
  /** Of the reply that has begun; null between replies. */
  #type: number | null = null;
  #line = '';
  #lineBytes = 0;
  #isAfterReturn = false;
  /** What is left of a text, with its end. */
  #textBytes = 0;
  /** How many items are missing of each list that has begun, the outermost first. */
  readonly #missing: number[] = [];
  #replyBytes = 0;
  #replyItems = 0;
  #repliesAtOnce = 0;

  /** Throws `BadReply`; then nothing that follows can be understood. */
  check(piece: Uint8Array): void {
    this.#repliesAtOnce = 0;
    for (let at = 0; at < piece.length; ) {
      const taken = this.#textBytes > 0 ? this.#skip(piece.length - at) : this.#read(piece[at] as number);
      at += taken;
      this.#replyBytes += taken;
      if (this.#replyBytes > REPLY_BYTES_MAX) throw new BadReply(`a reply of more than ${REPLY_BYTES_MAX} bytes`);
      if (this.#type === null && this.#missing.length === 0) this.#replyBytes = this.#replyItems = 0;
    }
  }

  #skip(bytes: number): number {
    const taken = Math.min(bytes, this.#textBytes);
    this.#textBytes -= taken;
    if (this.#textBytes === 0) this.#valueEnded();
    return taken;
  }

  /** One byte of a line. */
  #read(byte: number): 1 {
    if (this.#type === null) this.#begin(byte);
    else if (this.#isAfterReturn) this.#end(byte);
    else if (byte === CR) this.#isAfterReturn = true;
    else this.#lengthen(byte);
    return 1;
  }

  #begin(byte: number): void {
    if (!KINDS.has(byte)) throw new BadReply(`the byte ${byte} in place of a reply`);
    this.#type = byte;
    this.#line = '';
    this.#lineBytes = 0;
  }

  #lengthen(byte: number): void {
    this.#lineBytes += 1;
    if (this.#lineBytes > LINE_BYTES_MAX) throw new BadReply('a line without end');
    if (this.#type === STATUS || this.#type === ERROR) return;
    if (this.#lineBytes > DIGITS_MAX) throw new BadReply('a number without end');
    this.#line += String.fromCharCode(byte);
  }

  #end(byte: number): void {
    if (byte !== LF) throw new BadReply('a line with another end');
    this.#isAfterReturn = false;
    const type = this.#type;
    if (type === NUMBER && !WHOLE_NUMBER.test(this.#line)) throw new BadReply('an invalid number');
    if (type !== TEXT && type !== LIST) return this.#valueEnded();
    if (!LENGTH.test(this.#line)) throw new BadReply('an invalid length');
    const length = Number(this.#line);
    if (length === -1) this.#nullEnded();
    else if (type === TEXT) this.#textBytes = length + 2;
    else this.#beginList(length);
  }

  #beginList(items: number): void {
    this.#replyItems += items;
    if (this.#replyItems > ITEMS_MAX) throw new BadReply(`a reply of more than ${ITEMS_MAX} items`);
    if (items === 0) return this.#valueEnded();
    if (this.#missing.length === DEPTH_MAX) throw new BadReply('lists within lists');
    this.#missing.push(items);
    this.#type = null;
  }

  /** No command of ours is answered with null. */
  #nullEnded(): void {
    if (this.#missing.length === 0) throw new BadReply('null in place of a reply');
    this.#valueEnded();
  }

  #valueEnded(): void {
    this.#type = null;
    for (let last = this.#missing.length - 1; last >= 0; last -= 1) {
      const left = (this.#missing[last] as number) - 1;
      this.#missing[last] = left;
      if (left > 0) return;
      this.#missing.pop();
    }
    this.#repliesAtOnce += 1;
    if (this.#repliesAtOnce > REPLIES_AT_ONCE_MAX) throw new BadReply('replies that nobody asked for');
  }
}

/** Ends a connection whose server sends something else than replies, before the client reads it. */
export function guardReplies(connection: Duplex): void {
  const guard = new ReplyGuard();
  const push = connection.push.bind(connection);
  // Everything that arrives takes this way to the listeners for data, decrypted if the connection is.
  connection.push = (piece: Uint8Array | null, encoding?: BufferEncoding): boolean => {
    try {
      if (piece !== null) guard.check(piece);
    } catch (error) {
      connection.destroy(error as Error);
      return false;
    }
    return push(piece, encoding);
  };
}
