/** Reads the lines of one frame. */
import { assert } from '../../core/assert.ts';
import { internName } from '../intern-name.ts';
import { Frame } from './frame.ts';

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;

/** `raw` is a whole frame as cut by the splitter. A byte order mark is skipped only at the start of the stream. */
export function readFrame(raw: Buffer, atStreamStart: boolean): Frame {
  let event: string | null = null;
  let dataStart = -1;
  let dataEnd = -1;
  let dataHasColon = false;
  let lines: Buffer[] | null = null;
  let at = atStreamStart && raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  const hasCarriageReturn = raw.indexOf(CR) !== -1;
  while (at < raw.length) {
    const end = lineEnd(raw, at, hasCarriageReturn);
    assert(end !== -1 && end < raw.length, 'every line of a frame is ended');
    const first = raw[at];
    if (first === 0x64 && isField(raw, at, end, DATA)) {
      if (dataStart !== -1) {
        lines ??= [raw.subarray(dataStart, dataEnd)];
        lines.push(raw.subarray(valueStart(raw, at + 4, end), end));
      } else {
        dataHasColon = end > at + 4;
        dataStart = valueStart(raw, at + 4, end);
        dataEnd = end;
      }
    } else if (first === 0x65 && isField(raw, at, end, EVENT)) {
      event = readText(raw, valueStart(raw, at + 5, end), end);
    }
    at = end + (raw[end] === CR && raw[end + 1] === LF ? 2 : 1);
  }
  if (dataStart === -1) return new Frame(raw, event, null, -1);
  if (lines !== null) return new Frame(raw, event, joinLines(lines), -1);
  return new Frame(raw, event, raw.subarray(dataStart, dataEnd), dataHasColon ? dataStart : -1);
}

const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');
const LINE_FEED = Buffer.from('\n');

/** Without a CR in the frame, which is nearly always, a native search finds the end; with one, each byte is checked. */
function lineEnd(raw: Buffer, from: number, hasCarriageReturn: boolean): number {
  if (!hasCarriageReturn) return raw[from] === LF ? from : raw.indexOf(LF, from);
  let at = from;
  while (at < raw.length && raw[at] !== LF && raw[at] !== CR) at++;
  return at;
}

/** Whether the line at `raw[start, end)` is the named field: the name, then a colon or nothing. */
function isField(raw: Buffer, start: number, end: number, name: Buffer): boolean {
  const nameEnd = start + name.length;
  if (nameEnd > end || (nameEnd < end && raw[nameEnd] !== COLON)) return false;
  for (let index = 0; index < name.length; index++) {
    if (raw[start + index] !== name[index]) return false;
  }
  return true;
}

function valueStart(raw: Buffer, nameEnd: number, end: number): number {
  if (nameEnd === end) return end;
  return nameEnd + 1 < end && raw[nameEnd + 1] === SPACE ? nameEnd + 2 : nameEnd + 1;
}

function readText(raw: Buffer, start: number, end: number): string | null {
  if (start === end) return null;
  return internName(raw, start, end) ?? raw.toString('utf8', start, end);
}

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [LINE_FEED, line])));
}
