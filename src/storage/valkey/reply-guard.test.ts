/** Goal: replies pass however they are cut, and nothing else does. Method: replies cut at every place, and bytes that are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadReply, ReplyGuard } from './reply-guard.ts';

const REPLIES = [
  '+OK\r\n',
  '-ERR no such script\r\n',
  ':-12\r\n',
  '$0\r\n\r\n',
  '$9\r\nloading:0\r\n',
  '*0\r\n',
  '*3\r\n$13\r\n1764000000000\r\n*2\r\n$2\r\nk1\r\n$2\r\na7\r\n*2\r\n*1\r\n$5\r\n1 2 3\r\n*0\r\n',
  '*2\r\n$-1\r\n*-1\r\n',
  '$6\r\n\r\n*9\r\n\r\n',
].join('');

function judge(...pieces: readonly string[]): BadReply | null {
  const guard = new ReplyGuard();
  try {
    for (const piece of pieces) guard.check(Buffer.from(piece, 'latin1'));
    return null;
  } catch (error) {
    assert.ok(error instanceof BadReply, String(error));
    return error;
  }
}

test('replies pass, wherever they are cut', () => {
  assert.equal(judge(...REPLIES), null);
  for (let at = 0; at <= REPLIES.length; at += 1) assert.equal(judge(REPLIES.slice(0, at), REPLIES.slice(at)), null);
});

for (const [what, bytes] of [
  ['a length that leads back to its own beginning', '$*\r\n+OK\r\n'],
  ['a length without digits', '$\r\n'],
  ['a negative length', '$-2\r\n'],
  ['a length with a sign', '*+1\r\n'],
  ['null in place of a reply', '$-1\r\n'],
  ['no list in place of a reply', '*-1\r\n'],
  ['an invalid number', ':1a\r\n'],
  ['an invalid end of line', '+OK\r+'],
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n'],
  ['an alert of TLS', '\x15\x03\x03\x00\x02\x02\x46'],
  ['a push', '>1\r\n$-1\r\n'],
  ['lists within lists', '*1\r\n'.repeat(9)],
  ['a list of more items than there can be', '*9999999\r\n'],
  ['a line without end', `+${'x'.repeat(70_000)}`],
  ['a number without end', `:${'1'.repeat(30)}`],
  ['a flood of replies', '+OK\r\n'.repeat(1_000)],
] as const)
  test(`${what} is refused, wherever it is cut`, () => {
    assert.ok(judge(bytes) !== null);
    if (bytes.length < 100) assert.ok(judge(...bytes) !== null);
    assert.ok(judge(REPLIES + bytes) !== null, 'also after replies');
  });

test('a reply without end is refused once it is larger than any can be', () => {
  const guard = new ReplyGuard();
  guard.check(Buffer.from('$999999999\r\n'));
  const piece = Buffer.alloc(65_536);
  let sent = 0;
  assert.throws(() => {
    for (; sent < 1_000; sent += 1) guard.check(piece);
  }, BadReply);
  assert.ok(sent * piece.length <= 16 * 1024 * 1024, `${sent} pieces`);
});
