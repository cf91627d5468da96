/** Collects lines for one write. The destination would measure its own buffer again with every line, which costs more than the line. */
export class LineBuffer {
  readonly #send: (text: string) => void;
  readonly #later: (flush: () => void) => void;
  #lines: string[] = [];
  #length = 0;
  #isDue = false;

  /** `later` must call its argument after a short time; it is called once for all lines until then. */
  constructor(send: (text: string) => void, later: (flush: () => void) => void) {
    this.#send = send;
    this.#later = later;
  }

  /** `line` ends with a line break. */
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
