/** How one streamed answer is sent, if not as the server-sent events that the dialect writes. */
export interface StreamForm {
  /** Of the answer's head. */
  readonly contentType: string;
  open(): StreamEncoder;
}

/** Turns the events of one answer into the bytes that its caller reads. */
export interface StreamEncoder {
  /** `events`: whole server-sent events, as the dialect's relay, writer and `ping` have them. May be empty. */
  write(events: Buffer): Buffer;
  /** The last events, if there are any, and the end of the answer. */
  end(events: Buffer | null): Buffer;
}
