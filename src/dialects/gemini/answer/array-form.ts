/**
 * A streamed answer without `alt=sse`: one JSON array that grows by an element for each event.
 *
 * https://cloud.google.com/apis/docs/system-parameters (alt)
 */
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import type { RequestPath } from '../../interface/inbound.ts';
import type { StreamEncoder, StreamForm } from '../../interface/stream-form.ts';
import { isBlankData } from '../../kit/answer/blank-data.ts';

/** Null for server-sent events, which `alt=sse` asks for. */
export function streamForm({ query }: RequestPath): StreamForm | null {
  return isSse(query) ? null : ARRAY;
}

const ARRAY: StreamForm = { contentType: 'application/json; charset=utf-8', open: () => new ArrayEncoder() };

function isSse(query: string): boolean {
  if (query === 'alt=sse') return true;
  const parameters = new URLSearchParams(query);
  return (parameters.get('alt') ?? parameters.get('$alt'))?.toLowerCase() === 'sse';
}

class ArrayEncoder implements StreamEncoder {
  readonly #splitter = new SseSplitter();
  #isOpen = false;

  write(events: Buffer): Buffer {
    const parts: Buffer[] = [];
    for (const { data, bytes } of this.#splitter.push(events)) {
      // Google sends an error as an object alone.
      const element = data ?? (bytes[0] === OPEN_BRACE ? bytes : null);
      if (element !== null && !isBlankData(element))
        parts.push(this.#isOpen || parts.length > 0 ? NEXT : FIRST, element, LINE);
    }
    // A ping keeps the connection alive as white space, which may be anywhere between elements.
    if (parts.length === 0) return this.#isOpen ? LINE : NOTHING;
    this.#isOpen = true;
    return Buffer.concat(parts);
  }

  end(events: Buffer | null): Buffer {
    const last = events === null ? NOTHING : this.write(events);
    return Buffer.concat([last, this.#isOpen ? END : EMPTY]);
  }
}

const OPEN_BRACE = 0x7b;
const FIRST = Buffer.from('[');
const NEXT = Buffer.from(',\r\n');
const LINE = Buffer.from('\n');
const END = Buffer.from(']');
const EMPTY = Buffer.from('[]');
const NOTHING = Buffer.alloc(0);
