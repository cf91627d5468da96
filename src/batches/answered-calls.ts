/** Finds the calls whose answers are in a file of results: each line begins with the id of its call. */
import { type CallId, parseCallId } from '../core/ids.ts';

const BEFORE_ID = '{"id":"batch_req_';
const ID_LENGTH = 26;
const HEAD_LENGTH = BEFORE_ID.length + ID_LENGTH;
const LINE_FEED = 0x0a;

/** Groups of at most `size`, in order; null for a line that does not begin so. A line may begin anywhere in the chunks. */
export async function* answeredCalls(
  chunks: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<readonly (CallId | null)[]> {
  let group: (CallId | null)[] = [];
  /** The first bytes of the line that is being read. */
  let head = '';
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, at);
      const until = end === -1 ? chunk.length : end;
      if (head.length < HEAD_LENGTH)
        head += chunk.toString('latin1', at, Math.min(until, at + HEAD_LENGTH - head.length));
      at = until + 1;
      if (end === -1) continue;
      group.push(callOf(head));
      head = '';
      if (group.length < size) continue;
      yield group;
      group = [];
    }
  }
  if (head !== '') group.push(callOf(head));
  if (group.length > 0) yield group;
}

function callOf(head: string): CallId | null {
  return head.startsWith(BEFORE_ID) ? parseCallId(head.slice(BEFORE_ID.length)) : null;
}
