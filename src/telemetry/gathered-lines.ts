/** Many lines, one write. The destination's own buffer is measured anew with every line, which costs more than the line. */
export class GatheredLines {
  readonly #send: (text: string) => void;
  #lines: string[] = [];
  #length = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Takes a line with its line break. */
  write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= SEND_LENGTH) this.flush();
  }

  flush(): void {
    if (this.#length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#length = 0;
    this.#send(text);
  }
}

const SEND_LENGTH = 32 * 1024;
