/** Goal: an email reaches the server unchanged, and an error reveals nothing about it. Method: a small mail server on loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SmtpMailer } from './mail.ts';

const FROM = 'Turnpike <turnpike@example.com>';
const LINK = 'https://gateway.test/reset#token=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
const mail = { to: 'ada@example.com', subject: 'Set a new password', text: `Open this link:\n\n${LINK}\n` };

test('sender, recipient, subject and text arrive, with the link intact', async (context) => {
  const { url, received } = await startMailServer(context);
  await new SmtpMailer({ url, from: FROM }).send(mail);
  assert.deepEqual(received.envelope, ['MAIL FROM:<turnpike@example.com>', 'RCPT TO:<ada@example.com>']);
  assert.match(received.data, /^From: Turnpike <turnpike@example\.com>$/m);
  assert.match(received.data, /^Subject: Set a new password$/m);
  assert.match(received.data, /^Content-Type: text\/plain/m);
  assert.ok(
    received.data
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=')
      .includes(LINK),
  );
});

test('one mailer sends two emails in sequence', async (context) => {
  const { url, received } = await startMailServer(context);
  const mailer = new SmtpMailer({ url, from: FROM });
  await mailer.send(mail);
  await mailer.send({ ...mail, to: 'bob@example.com' });
  assert.equal(received.envelope.at(-1), 'RCPT TO:<bob@example.com>');
});

test('an error contains the server’s status code, but neither text nor address', async (context) => {
  const { url } = await startMailServer(context, { refuses: true });
  await assert.rejects(new SmtpMailer({ url, from: FROM }).send(mail), (error: Error) => {
    assert.equal(error.message, 'the message could not be sent (EENVELOPE 550)');
    assert.equal(error.cause, undefined);
    return true;
  });
});

test('an unreachable server is reported', async () => {
  const mailer = new SmtpMailer({ url: 'smtp://127.0.0.1:1', from: FROM });
  await assert.rejects(mailer.send(mail), /could not be sent \(ESOCKET\)/);
});

/** The minimum of https://www.rfc-editor.org/rfc/rfc5321 for one email. */
async function startMailServer(context: TestContext, { refuses = false } = {}) {
  const received = { envelope: [] as string[], data: '' };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isData = false;
    let waiting = '';
    socket.write('220 mail.test\r\n');
    socket.on('data', (chunk) => {
      waiting += chunk.toString();
      const lines = waiting.split('\r\n');
      waiting = lines.pop() ?? '';
      for (const line of lines) {
        if (isData && line !== '.') received.data += `${line}\n`;
        else socket.write(`${answerTo(line)}\r\n`);
      }
    });
    const answerTo = (line: string): string => {
      if (line === '.') isData = false;
      else if (line === 'DATA') isData = true;
      else if (/^(MAIL|RCPT)/.test(line)) received.envelope.push(line);
      if (line === 'DATA') return '354 go on';
      return refuses && line.startsWith('RCPT') ? '550 no such mailbox ada@example.com' : '250 good';
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
