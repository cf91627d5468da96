/** Goal: a benchmark that misreads an answer measures nothing. Method: answers by hand, cut at every byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerReader } from './answer-reader.ts';

const SIZED = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello';
const EMPTY = 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\na\r\nb\r\nd\r\ndata: x y z\n\n\r\n0\r\n\r\n';

test('three answers on one connection are read alike wherever the packets are cut', () => {
  const bytes = Buffer.from(SIZED + EMPTY + CHUNKED);
  const whole = read([bytes]);
  assert.deepEqual(whole, ['200 hello', '401 ', '200 a\r\nbdata: x y z\n\n']);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    assert.deepEqual(read([bytes.subarray(0, cut), bytes.subarray(cut)]), whole, `cut at ${cut}`);
  }
  assert.deepEqual(read(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))), whole);
});

test('the pieces of a chunked body are its chunks, when each came whole', () => {
  const pieces: string[] = [];
  const reader = new AnswerReader({
    head: () => undefined,
    body: (bytes) => pieces.push(bytes.toString()),
    end: () => undefined,
  });
  reader.push(Buffer.from(CHUNKED));
  assert.deepEqual(pieces, ['a\r\nb', 'data: x y z\n\n']);
});

test('what is no answer throws', () => {
  for (const bytes of [
    'SSH-2.0-OpenSSH\r\n\r\n',
    'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: y\r\n\r\n',
  ]) {
    assert.throws(() => read([Buffer.from(bytes)]), Error, bytes);
  }
});

/** `<status> <body>` of every answer that was whole. */
function read(packets: readonly Buffer[]): string[] {
  const answers: string[] = [];
  let current = '';
  const reader = new AnswerReader({
    head: (status) => {
      current = `${status} `;
    },
    body: (bytes) => {
      current += bytes.toString();
    },
    end: () => answers.push(current),
  });
  for (const packet of packets) reader.push(packet);
  return answers;
}
