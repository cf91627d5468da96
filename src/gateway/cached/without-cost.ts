/**
 * An answer as it is kept: with a cost of 0, because that is what a call is charged that gets it again. Every other byte stays, the tokens
 * included.
 */
import { lastValue } from '../../dialects/kit/relay/last-value.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import { encodeSse, SseSplitter } from '../../wire/frames/sse-splitter.ts';
import { type Edit, splice } from '../../wire/json-splice.ts';

type Paths = readonly (readonly string[])[];

/** `isEvents`: whether the answer is server-sent events; otherwise it is one JSON object. */
export function withoutCost(body: Buffer, isEvents: boolean, paths: Paths): Buffer {
  if (paths.length === 0) return body;
  if (!isEvents) return splice(body, editsIn(body, paths));
  const splitter = new SseSplitter({ frameBytesMax: body.length });
  const frames = splitter.push(body).map((frame) => frameWithoutCost(frame, paths));
  return Buffer.concat([...frames, splitter.end()]);
}

function frameWithoutCost(frame: Frame, paths: Paths): Buffer {
  const { bytes, data, dataStart, event } = frame;
  if (data === null || !data.includes(COST)) return bytes;
  const edits = editsIn(data, paths);
  if (edits.length === 0) return bytes;
  // Data over several lines is not contiguous in the frame, so the frame is written again.
  if (dataStart === -1) return encodeSse(event, splice(data, edits).toString('utf8'));
  return splice(
    bytes,
    edits.map(({ start, end, insert }) => ({ start: dataStart + start, end: dataStart + end, insert })),
  );
}

/** In order of position; none if the bytes are not an object. */
function editsIn(bytes: Buffer, paths: Paths): readonly Edit[] {
  const edits = paths.flatMap((path) => editAt(bytes, path) ?? []);
  return edits.sort((left, right) => left.start - right.start);
}

function editAt(bytes: Buffer, path: readonly string[]): Edit | null {
  let place = { start: 0, end: bytes.length };
  for (const name of path) {
    const inside = lastValue(bytes, place.start, place.end, Buffer.from(JSON.stringify(name)));
    if (inside === null) return null;
    place = inside;
  }
  return { ...place, insert: NOTHING_CHARGED };
}

const COST = Buffer.from('"cost"');
const NOTHING_CHARGED = Buffer.from('0');
