/**
 * Goal: nobody can send links to others through an account's name, or block others' emails. Method: names that mail clients would turn into
 * links, and hundreds of emails that strangers can trigger.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GentleMailer, invitationMail, passwordMail } from './mails.ts';

const LINK = 'https://gateway.test/invite#token=x';

test('an invitation contains the account’s name as plain words, and only one link', () => {
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

test('emails triggered by strangers do not block invitations', async () => {
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
  assert.equal((await Promise.all(flood)).filter((outcome) => outcome === 'sent').length, 101);
});
