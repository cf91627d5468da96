/** Goal: a body has a time limit and a maximum size. Method: a real server, a bare socket, time moved by hand. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { BODY_BYTES_MAX } from './json-body.ts';
import { type Doors, MANAGEMENT_KEY, openDoors, sessionToken } from './mount-fixture.ts';

/** Sends the head of a request and a part of its body; returns everything received until the connection ends. */
async function sendPart(doors: Doors, head: string, part: string, meanwhile: () => void): Promise<string> {
  await doors.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = doors.server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const arrived = once(doors.server.server, 'request');
  socket.write(`${head}\r\n\r\n${part}`);
  await arrived;
  while (doors.server.server.listening && answer === '') {
    meanwhile();
    await new Promise(setImmediate);
  }
  await once(socket, 'close');
  await doors.server.close();
  return answer;
}

const HEAD = `POST /api/v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${MANAGEMENT_KEY}\r\ncontent-type: application/json`;

test('a body that does not arrive times out', async () => {
  const doors = openDoors();
  const answer = await sendPart(doors, `${HEAD}\r\ncontent-length: 20`, '{"name":', () => doors.clock.advance(1_000));
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /did not arrive within 10 seconds/);
  assert.match(answer, /connection: close/i);
  assert.equal(doors.asked.length, 0);
});

test('an endless body is refused once it is too long', async () => {
  const doors = openDoors();
  const chunk = 'x'.repeat(BODY_BYTES_MAX + 1);
  const answer = await sendPart(
    doors,
    `${HEAD}\r\ntransfer-encoding: chunked`,
    `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
    () => undefined,
  );
  assert.match(answer, /^HTTP\/1\.1 413 /);
});

test('a forbidden request is refused before its body has arrived', async () => {
  const doors = openDoors();
  const head = `POST /api/dashboard/projects HTTP/1.1\r\nhost: localhost\r\ncookie: turnpike-session=${sessionToken('owner')}\r\nsec-fetch-site: cross-site\r\ncontent-type: application/json\r\ncontent-length: 1000`;
  assert.match(await sendPart(doors, head, '', () => undefined), /^HTTP\/1\.1 403 /);
});

test('a duplicate field, at any depth, is refused and nothing is done', async () => {
  const doors = openDoors();
  for (const payload of ['{"name":"a","name":"b"}', '{"name":"a","limits":{"budgets":{"day":"1","day":"2"}}}']) {
    const answer = await doors.server.inject({
      method: 'POST',
      url: '/api/v1/projects',
      headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, 'content-type': 'application/json' },
      payload,
    });
    assert.equal(answer.statusCode, 400);
    assert.match(answer.body, /duplicate_key|names the field/);
  }
  assert.equal(doors.asked.length, 0);
  await doors.server.close();
});
