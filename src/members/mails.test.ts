/**
 * Goal: nobody can send others a link of theirs by the name of an account, nor keep others' mails from leaving. Method: names
 * made to become a link, and mails that strangers can cause, by the hundred.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GentleMailer, invitationMail, passwordMail } from './mails.ts';

const LINK = 'https://gateway.test/invite#token=x';

test('an invitation names the account in words, and has one address in it', () => {
  assert.match(invitationMail('a@b.c', "Müller & Söhne's 2", LINK).text, /join "Müller & Söhne's 2"\./);
  for (const name of [
    'Free coins: https://evil.example/x',
    'evil.example',
    'me@evil.example',
    '"',
    'www.evil.example '.repeat(10),
  ]) {
    const { text, subject } = invitationMail('a@b.c', name, LINK);
    assert.equal(text.match(/\w\.\w|@|:\/\//g)?.length, LINK.match(/\w\.\w|@|:\/\//g)?.length, name);
    assert.ok(!subject.includes('evil') && text.length < 250);
  }
});

test('mails that strangers cause do not keep invitations from leaving', async () => {
  const ends: (() => void)[] = [];
  const mailer = new GentleMailer({ send: () => new Promise<void>((end) => ends.push(end)) });
  const flood = Array.from({ length: 500 }, (_, each) =>
    mailer.send(passwordMail(`${each}@example.com`, LINK)).then(
      () => 'sent',
      () => 'refused',
    ),
  );
  const invitation = mailer.send(invitationMail('a@example.com', 'Acme', LINK));
  let isSent = false;
  void invitation.then(() => {
    isSent = true;
  });
  while (!isSent) {
    await new Promise(setImmediate);
    ends.shift()?.();
  }
  assert.equal((await Promise.all(flood)).filter((told) => told === 'sent').length, 101);
});
