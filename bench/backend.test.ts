/** Goal: the backend behaves like a provider. Method: real calls over loopback, by the load generator's own client. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { openBackend } from './backend.ts';
import { imageRequestBody, requestBody, streamEvents, wholeAnswer } from './bodies.ts';
import { dialects } from './dialects.ts';
import { Connection, callRepeatedly, expectSuccess, openConnections, requestBytes, withHead } from './load/load.ts';
import type { Subject } from './subject.ts';
import { direct } from './subjects.ts';

const CHUNKS = 20;

let server: Server;
let subject: Subject;

before(async () => {
  server = openBackend({ chunks: CHUNKS, intervalMs: 1 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  subject = direct({ port: (server.address() as AddressInfo).port, stop: async () => {} });
});
after(() => server.close());

test('bodies have the published sizes', () => {
  for (const dialect of dialects) {
    const request = requestBody(dialect, 'whole').length;
    const answer = wholeAnswer(dialect).length;
    assert.ok(request >= 240 && request < 350, `${dialect} request: ${request} bytes`);
    assert.ok(answer > 850 && answer < 1150, `${dialect} answer: ${answer} bytes`);
  }
  const chunk = streamEvents('openai-chat', 'paced').repeated[0].length;
  assert.ok(chunk > 220 && chunk < 300, `chunk: ${chunk} bytes`);
});

test('the image request is JSON of exactly the size asked for', () => {
  const body = imageRequestBody(100_000);
  assert.equal(body.length, 100_000);
  const url = JSON.parse(body.toString()).messages[0].content[1].image_url.url;
  assert.ok(url.startsWith('data:image/png;base64,iVBOR') && url.length > 99_000);
});

for (const dialect of dialects) {
  test(`${dialect}: many whole calls over few connections each get the whole answer`, async () => {
    const connections = await openConnections(subject.port, 3);
    let seen = 0;
    await callRepeatedly(connections, requestBytes(subject, dialect, 'whole'), 50, (answered) => {
      expectSuccess(subject, answered, wholeAnswer(dialect).length);
      assert.deepEqual(JSON.parse(answered.beginning.toString()), JSON.parse(wholeAnswer(dialect).toString()));
      seen += 1;
    });
    for (const connection of connections) connection.close();
    assert.equal(seen, 50);
  });

  test(`${dialect}: a paced stream sends every event once, each a piece of its own`, async () => {
    const { opening, repeated, closing } = streamEvents(dialect, 'paced');
    const connection = await Connection.open(subject.port);
    const answered = await connection.call(requestBytes(subject, dialect, 'paced'));
    connection.close();
    const middle = Array.from({ length: CHUNKS }, (_, index) => repeated[index % repeated.length] ?? Buffer.alloc(0));
    const bytes = [...opening, ...middle, ...closing].reduce((sum, event) => sum + event.length, 0);
    assert.equal(answered.bodyBytes, bytes);
    assert.ok(answered.pieces >= opening.length + CHUNKS + closing.length);
  });

  test(`${dialect}: a brief stream can be asked for again on its connection`, async () => {
    const connection = await Connection.open(subject.port);
    for (let index = 0; index < 3; index += 1) {
      let begun = 0;
      const answered = await connection.call(requestBytes(subject, dialect, 'brief'), (status) => {
        begun = status;
      });
      assert.equal(begun, 200);
      assert.ok(answered.pieces > 1);
    }
    connection.close();
  });
}

test('an idle stream begins and does not end', async () => {
  const connection = await Connection.open(subject.port);
  let ended = false;
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      ended = true;
    };
    connection.start(requestBytes(subject, 'openai-chat', 'idle'), () => resolve(), end, reject);
  });
  const other = await Connection.open(subject.port);
  await other.call(requestBytes(subject, 'openai-chat', 'brief'));
  assert.equal(ended, false);
  connection.close();
  other.close();
});

test('a large request is answered once it is whole', async () => {
  const connection = await Connection.open(subject.port);
  const answered = await connection.call(withHead(subject, 'openai-chat', imageRequestBody(3_000_000)));
  expectSuccess(subject, answered, wholeAnswer('openai-chat').length);
  connection.close();
});

test('a call on a connection that is closed fails, and is not waited for', async () => {
  const connection = await Connection.open(subject.port);
  connection.close();
  await assert.rejects(connection.call(requestBytes(subject, 'openai-chat', 'whole')), /closed a connection/);
});

test('a request that cannot be understood ends its connection', async () => {
  const socket = connect(subject.port, '127.0.0.1');
  socket.write('POST /v1/other HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}');
  socket.resume();
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
});

test('a refusal is never counted as an answer', () => {
  const refused = { status: 401, bodyBytes: 5000, pieces: 1, beginning: Buffer.from('no such key') };
  assert.throws(() => expectSuccess(subject, refused, 100), /401.*no such key/);
  const short = { status: 200, bodyBytes: 5, pieces: 1, beginning: Buffer.from('short') };
  assert.throws(() => expectSuccess(subject, short, 100), /5 bytes/);
});
