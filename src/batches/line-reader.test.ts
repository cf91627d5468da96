/**
 * Goal: however a file is cut into chunks, its lines are the same, and reading can go on at each of them. Method: every cut of a small file, and the lines
 * that remain from each place.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InputLine, LineReader, LineTooLong } from './line-reader.ts';

const FILE = 'one\ntwo\r\n\n  \nthree\n\n\nfour';
const LINES = ['one', 'two\r', 'three', 'four'];

test('lines are the same at every size of chunks', async () => {
  for (let size = 1; size <= FILE.length; size += 1) {
    const lines = await all(new LineReader(chunksOf(FILE, size), 100));
    assert.deepEqual(textsOf(lines), LINES);
    assert.deepEqual(
      lines.map(({ place }) => [place.number, place.shown]),
      [
        [0, 1],
        [1, 2],
        [2, 5],
        [3, 8],
      ],
    );
  }
});

test('reading goes on at the place of any line', async () => {
  for (let size = 1; size <= FILE.length; size += 1) {
    const lines = await all(new LineReader(chunksOf(FILE, size), 100));
    for (const [at, line] of lines.entries()) {
      const rest = await all(new LineReader(chunksOf(FILE, size), 100, line.place));
      assert.deepEqual(textsOf(rest), LINES.slice(at));
      assert.deepEqual(
        rest.map(({ place }) => place.number),
        lines.slice(at).map(({ place }) => place.number),
      );
    }
  }
});

test('a line that is too long is refused before it is read to its end', async () => {
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read += 1;
      yield Buffer.alloc(10, 'x');
    }
  };
  await assert.rejects(new LineReader(endless, 35).next(), LineTooLong);
  assert.equal(read, 4);
});

test('an empty file, and one of empty lines, has no lines', async () => {
  for (const file of ['', '\n', '\n \n\t\r\n']) assert.deepEqual(await all(new LineReader(chunksOf(file, 2), 100)), []);
});

async function all(reader: LineReader): Promise<InputLine[]> {
  const lines: InputLine[] = [];
  for (let line = await reader.next(); line !== null; line = await reader.next()) lines.push(line);
  return lines;
}

function textsOf(lines: readonly InputLine[]): readonly string[] {
  return lines.map(({ bytes }) => bytes.toString());
}

function chunksOf(text: string, size: number) {
  return async function* (from: number) {
    for (let at = from * size; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
  };
}
