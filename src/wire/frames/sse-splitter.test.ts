/**
 * Goal: a stream has the same events however it is cut, in every line-end style, and no byte is lost. Method: hand-written streams with
 * their events, cut everywhere; generated streams against a plain reading of the standard.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../../core/errors.ts';
import type { Frame } from './frame.ts';
import { encodeSse, SseSplitter, sseComment } from './sse-splitter.ts';

type Event = readonly [event: string | null, data: string | null];

const cases: readonly { name: string; text: string; events: readonly Event[]; rest?: string }[] = [
  { name: 'data alone', text: 'data: {"a":1}\n\n', events: [[null, '{"a":1}']] },
  { name: 'event and data', text: 'event: ping\ndata: {}\n\n', events: [['ping', '{}']] },
  { name: 'data before event', text: 'data: {}\nevent: late\n\n', events: [['late', '{}']] },
  { name: 'several lines of data', text: 'data: one\ndata:two\ndata\ndata: \n\n', events: [[null, 'one\ntwo\n\n']] },
  { name: 'data without a colon', text: 'data\n\n', events: [[null, '']] },
  {
    name: 'data without a value',
    text: 'data:\n\ndata: \n\n',
    events: [
      [null, ''],
      [null, ''],
    ],
  },
  { name: 'only one space is taken off', text: 'data:  x \n\n', events: [[null, ' x ']] },
  { name: 'a colon in the value', text: 'data: a: b\n\n', events: [[null, 'a: b']] },
  {
    name: 'a comment between frames',
    text: ': OPENROUTER PROCESSING\n\ndata: x\n\n',
    events: [
      [null, null],
      [null, 'x'],
    ],
  },
  { name: 'a comment within a frame', text: 'data: x\n:\n: more\ndata: y\n\n', events: [[null, 'x\ny']] },
  {
    name: 'other fields',
    text: 'id: 7\nretry: 10\ndatax: no\ndat: no\n data: no\neventx: no\n\n',
    events: [[null, null]],
  },
  { name: 'an event without data', text: 'event: bare\n\n', events: [['bare', null]] },
  {
    name: 'the last event name wins',
    text: 'event: a\nevent: b\ndata: x\n\nevent: a\nevent\ndata: x\n\n',
    events: [
      ['b', 'x'],
      [null, 'x'],
    ],
  },
  {
    name: 'blank lines to spare',
    text: '\n\ndata: x\n\n\n',
    events: [
      [null, null],
      [null, null],
      [null, 'x'],
      [null, null],
    ],
  },
  { name: 'beyond ASCII', text: 'event: grüße\ndata: wörd 😀\n\n', events: [['grüße', 'wörd 😀']] },
  {
    name: 'a byte order mark',
    text: '\ufeffdata: x\n\ndata: y\n\n',
    events: [
      [null, 'x'],
      [null, 'y'],
    ],
  },
  {
    name: 'a byte order mark in mid-stream',
    text: 'data: x\n\n\ufeffdata: y\n\n',
    events: [
      [null, 'x'],
      [null, null],
    ],
  },
  { name: 'an unfinished frame', text: 'data: x\n\ndata: y\n', events: [[null, 'x']], rest: 'data: y\n' },
  { name: 'nothing', text: '', events: [] },
];

for (const { name, text, events, rest = '' } of cases) {
  for (const [ends, lineEnd] of [
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    test(`${name}, lines ended by ${ends}: the same at every cut`, () => {
      const bytes = Buffer.from(text.replaceAll('\n', lineEnd));
      const whole = split(bytes, []);
      assert.deepEqual(whole.events, events);
      assert.equal(whole.rest, rest.replaceAll('\n', lineEnd));
      for (const cuts of everyCut(bytes.length)) {
        const pieces = split(bytes, cuts);
        assert.deepEqual(pieces.events, events, `cut at ${cuts}`);
        assert.equal(pieces.rest, whole.rest);
        assert.deepEqual(pieces.raws, whole.raws, `cut at ${cuts}`);
      }
    });
  }
}

test('line ends may be mixed within a frame', () => {
  const bytes = Buffer.from('data: a\r\ndata: b\rdata: c\n\r\nevent: e\r\rdata: d\n\n');
  const events: Event[] = [
    [null, 'a\nb\nc'],
    ['e', null],
    [null, 'd'],
  ];
  assert.deepEqual(split(bytes, []).events, events);
  for (const cuts of everyCut(bytes.length)) assert.deepEqual(split(bytes, cuts).events, events, `cut at ${cuts}`);
});

test('a CR that ends a frame and a chunk is not waited on, unless the stream uses CR LF', () => {
  const plain = new SseSplitter();
  assert.equal(plain.push(Buffer.from('data: x\r\r')).length, 1);
  const [next] = plain.push(Buffer.from('\ndata: y\r\r'));
  assert.equal(next?.bytes.toString(), '\ndata: y\r\r');
  assert.equal(next?.data?.toString(), 'y');
  const windows = new SseSplitter();
  assert.equal(windows.push(Buffer.from('data: x\r\n\r')).length, 0);
  assert.deepEqual(
    windows.push(Buffer.from('\n')).map((frame) => frame.bytes.toString()),
    ['data: x\r\n\r\n'],
  );
  assert.equal(windows.end().length, 0);
});

test('a frame that waits for its LF is released by any other byte, and unfinished where the stream ends', () => {
  const splitter = new SseSplitter();
  assert.equal(splitter.push(Buffer.from('data: x\r\n\r')).length, 0);
  const frames = splitter.push(Buffer.from('data: y\n\n'));
  assert.deepEqual(
    frames.map((frame) => frame.bytes.toString()),
    ['data: x\r\n\r', 'data: y\n\n'],
  );
  const cut = new SseSplitter();
  assert.equal(cut.push(Buffer.from('data: x\r\n\r')).length, 0);
  assert.equal(cut.end().toString(), 'data: x\r\n\r');
});

test('a frame within a chunk is a view of it, and data is a view of the frame', () => {
  const chunk = Buffer.from('data: one\n\nevent: e\ndata: two\n\n');
  const [first, second] = new SseSplitter().push(chunk);
  assert.ok(first?.data && second?.data);
  for (const view of [first.bytes, first.data, second.bytes, second.data]) assert.equal(view.buffer, chunk.buffer);
  assert.equal(second.dataStart, 15);
  assert.equal(second.bytes.subarray(second.dataStart, second.dataStart + 3).toString(), 'two');
});

test('dataStart is given only where the data is one line after a colon', () => {
  const starts = new SseSplitter()
    .push(Buffer.from('data: x\n\ndata:x\n\ndata:\n\ndata\n\ndata: x\ndata: y\n\n: c\n\n\r\n'))
    .map((frame) => frame.dataStart);
  assert.deepEqual(starts, [6, 5, 5, -1, -1, -1, -1]);
});

test('frames that have been returned are not overwritten by later ones', () => {
  const splitter = new SseSplitter();
  const frames: Frame[] = [];
  for (let index = 0; index < 50; index++) {
    for (const byte of Buffer.from(`data: number ${index}\n\n`)) frames.push(...splitter.push(Buffer.from([byte])));
  }
  assert.deepEqual(
    frames.map((frame) => frame.data?.toString()),
    Array.from({ length: 50 }, (_, index) => `number ${index}`),
  );
});

test('a frame of the largest size passes and a larger one is an error of the provider, whole or in pieces', () => {
  const frame = Buffer.from(`data: ${'x'.repeat(92)}\n\n`);
  assert.equal(frame.length, 100);
  for (const cuts of [[], [1], [50], [99], [10, 20, 30]]) {
    assert.equal(split(frame, cuts, 100).events.length, 1);
    assert.throws(
      () => split(frame, cuts, 99),
      (error) => error instanceof GatewayError && error.code === 'bad_gateway' && /99 bytes/.test(error.message),
    );
  }
  assert.throws(() => new SseSplitter().push(Buffer.alloc(1024 * 1024 + 1, 'x')), { code: 'bad_gateway' });
});

test('any stream, cut anywhere, is read as the standard says, and its frames are its bytes', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '',
      'data',
      'data:',
      'data: ',
      ':',
      ': x',
      'event: e',
      'event:',
      'id: 1',
      'data: "\\r"',
      'é: x',
    ),
    fc.string({ maxLength: 80 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 });
  fc.assert(
    fc.property(stream, fc.boolean(), fc.array(fc.nat(400), { maxLength: 8 }), (lines, mark, cuts) => {
      // The last line shows that no LF follows, so no frame is left waiting for one.
      const text = `${(mark ? '\ufeff' : '') + lines.flat().join('')}:\n`;
      const { events, raws, rest } = split(Buffer.from(text), cuts);
      assert.equal(raws.join('') + rest, text);
      assert.deepEqual(
        events.filter(([, data]) => data !== null),
        dispatched(text),
      );
    }),
    { numRuns: 1000 },
  );
});

test('an encoded event is read back, its line ends as LF', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(null, 'ping', 'grüße'),
      fc.string({ unit: 'grapheme' }),
      fc.boolean(),
      (event, text, lines) => {
        const data = lines ? `${text}\r\nmore\rand\n` : text;
        const frames = new SseSplitter().push(encodeSse(event, data));
        assert.equal(frames.length, 1);
        assert.equal(frames[0]?.event, event);
        assert.equal(frames[0]?.data?.toString(), data.replace(/\r\n|\r/g, '\n'));
      },
    ),
  );
  assert.equal(encodeSse('a', '{}').toString(), 'event: a\ndata: {}\n\n');
});

test('a comment is ignored, and neither it nor a name may contain a line end', () => {
  const [frame] = new SseSplitter().push(sseComment('keep-alive'));
  assert.equal(frame?.bytes.toString(), ': keep-alive\n\n');
  assert.equal(frame?.data, null);
  assert.throws(() => sseComment('a\ndata: x'), { name: 'AssertionFailed' });
  assert.throws(() => encodeSse('a\rdata: x', '{}'), { name: 'AssertionFailed' });
});

/** Every single cut, byte by byte, and 200 seeded random sets of cuts. */
function* everyCut(length: number): Generator<number[]> {
  for (let cut = 1; cut < length; cut++) yield [cut];
  yield Array.from({ length }, (_, index) => index);
  let seed = 42;
  for (let round = 0; round < 200; round++) {
    const cuts: number[] = [];
    for (let count = 0; count < 5; count++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      cuts.push(seed % (length + 1));
    }
    yield cuts.sort((left, right) => left - right);
  }
}

function split(bytes: Buffer, cuts: readonly number[], frameBytesMax = 1024 * 1024) {
  const splitter = new SseSplitter({ frameBytesMax });
  const frames: Frame[] = [];
  let from = 0;
  for (const cut of [...cuts].sort((left, right) => left - right).concat(bytes.length)) {
    const end = Math.min(cut, bytes.length);
    frames.push(...splitter.push(bytes.subarray(from, end)));
    from = Math.max(from, end);
  }
  const rest = splitter.end();
  assert.ok(Buffer.concat([...frames.map((frame) => frame.bytes), rest]).equals(bytes), 'the raws are the stream');
  for (const frame of frames) {
    if (frame.dataStart === -1 || frame.data === null) continue;
    assert.ok(frame.bytes.subarray(frame.dataStart, frame.dataStart + frame.data.length).equals(frame.data));
  }
  return {
    events: frames.map((frame): Event => [frame.event, frame.data?.toString() ?? null]),
    raws: frames.map((frame) => frame.bytes.toString()),
    rest: rest.toString(),
  };
}

/**
 * The events of a whole stream, exactly as the standard says:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
function dispatched(text: string): Event[] {
  const events: Event[] = [];
  let type = '';
  let buffer = '';
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  // What follows the last line end is an incomplete line; it is discarded.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (buffer !== '') events.push([type === '' ? null : type, buffer.slice(0, -1)]);
      type = '';
      buffer = '';
      continue;
    }
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') type = value;
    if (name === 'data') buffer += `${value}\n`;
  }
  return events;
}
