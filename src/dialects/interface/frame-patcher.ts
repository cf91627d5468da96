import type { WholeBody } from '../../core/body.ts';
import type { Frame } from '../../wire/frame.ts';

/** Edits the answers of one relayed call. Bytes it has nothing to do with are returned as they came. */
export interface FramePatcher {
  /** The stream ended well without its last frame: what the caller is still due. Absent where that is nothing. */
  end?(): Buffer | null;
  /** One frame of a stream: the bytes to pass on (the frame's own when nothing changed), or null to drop it. */
  frame(frame: Frame): Buffer | null;
  /** A whole, successful, non-streamed answer. */
  body(body: Buffer): WholeBody;
  /** Whether the last frame differs in its text only from one that was learned before it. Absent, as what follows, where none is ever learned. */
  readonly isRepeatable?: boolean;
  /**
   * Takes bytes that begin with a frame. Where they are one that differs from the last frame in its text only, what
   * they are to become is put into `into` at `at`, and its length is returned; else -1, and nothing has happened, as
   * where it has no room. Asked while meter and patcher both know the last frame.
   */
  repeat?(raw: Buffer, into: Buffer, at: number): number;
  /** Of the frame that `repeat` took: the bytes of its text in UTF-8, its escapes undone. */
  readonly repeatedTextBytes?: number;
}

/** What a patcher and a writer may ask of the call they serve. */
export interface AnswerContext {
  /** The model string the caller sent; it is what the caller reads back. */
  readonly callerModel: string;
  /** The provider's name for the same model. */
  readonly upstreamModel: string;
  /** The name of the provider that serves, as records and filters have it; absent, it is not told. */
  readonly provider?: string;
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}
