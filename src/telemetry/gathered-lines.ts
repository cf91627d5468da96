/** Many lines, one write. The destination's own buffer is measured anew with every line, which costs more than the line. */
export class GatheredLines {
  readonly #send: (text: string) => void;
  readonly #later: (flush: () => void) => void;
  #lines: string[] = [];
  #length = 0;
  #isDue = false;

  /** `later` is to call what it is given after a moment; it is asked once for all lines that come until then. */
  constructor(send: (text: string) => void, later: (flush: () => void) => void) {
    this.#send = send;
    this.#later = later;
  }

  /** Takes a line with its line break. */
  write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (!this.#isDue) {
      this.#isDue = true;
      this.#later(this.#flushDue);
    }
    if (this.#length >= SEND_LENGTH) this.flush();
  }

  flush(): void {
    if (this.#length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#length = 0;
    this.#send(text);
  }

  readonly #flushDue = (): void => {
    this.#isDue = false;
    this.flush();
  };
}

const SEND_LENGTH = 32 * 1024;
