/**
 * Server-sent events as bytes. A splitter cuts a stream into frames without copying more than a
 * frame that straddles two chunks, and keeps every byte: a frame's `raw` joined over the stream
 * is the stream. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export interface SseFrame {
  /** All bytes of the frame, the blank line that ends it included. */
  readonly raw: Buffer;
  /** The `event:` field, or null. */
  readonly event: string | null;
  /** The `data:` lines joined with LF, or null when the frame has none (a comment, a bare event). */
  readonly data: Buffer | null;
  /** Where `data` starts in `raw` when it is one contiguous line; -1 otherwise. An edit splices there. */
  readonly dataStart: number;
}
