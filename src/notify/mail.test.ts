/** Goal: an email reaches the server unchanged, and an error reveals nothing about it. Method: a small mail server on loopback. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts';
import { SmtpMailer } from './mail.ts';

const FROM = 'Turnpike <turnpike@example.com>';
const LINK = 'https://gateway.test/reset#token=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
const mail = { to: 'ada@example.com', subject: 'Set a new password', text: `Open this link:\n\n${LINK}\n` };

test('sender, recipient, subject and text arrive, with the link intact', async (context) => {
  const { url, mails } = await open(context);
  await new SmtpMailer({ url, from: FROM }).send(mail);
  assert.deepEqual(mails[0]?.envelope, ['MAIL FROM:<turnpike@example.com>', 'RCPT TO:<ada@example.com>']);
  const text = mails[0]?.text ?? '';
  assert.match(text, /^From: Turnpike <turnpike@example\.com>$/m);
  assert.match(text, /^Subject: Set a new password$/m);
  assert.match(text, /^Content-Type: text\/plain/m);
  assert.ok(text.includes(LINK));
});

test('one mailer sends two emails in sequence', async (context) => {
  const { url, mails } = await open(context);
  const mailer = new SmtpMailer({ url, from: FROM });
  await mailer.send(mail);
  await mailer.send({ ...mail, to: 'bob@example.com' });
  assert.equal(mails.at(-1)?.envelope.at(-1), 'RCPT TO:<bob@example.com>');
});

test('an error contains the server’s status code, but neither text nor address', async (context) => {
  const { url } = await open(context, true);
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

async function open(context: TestContext, refuses = false): Promise<MailServer> {
  const server = await startMailServer({ refuses });
  context.after(() => server.close());
  return server;
}
