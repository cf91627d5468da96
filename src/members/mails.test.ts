/** Goal: nobody can send others a link of theirs by the name of an account. Method: names made to become one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitationMail } from './mails.ts';

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
