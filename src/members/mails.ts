/**
 * Mails to people, in plain text. None contains text chosen by a stranger unchanged, so no one can use us to send others
 * their own text or links.
 */

import { ConcurrencyLimit } from '../core/concurrency-limit.ts';
import { FairSlots } from '../core/fair-slots.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Rejects when the server did not accept it; the error contains nothing from the mail. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

const SENDING_MAX = 2;
const WAITING_MAX = 200;

/**
 * Sends a few at a time, so that a slow mail server does not get a hundred connections. Mails with one subject take at most half of the
 * capacity that the others leave free: mails that strangers can trigger do not block invitations.
 */
export class GentleMailer implements Mailer {
  readonly #mailer: Mailer;
  readonly #queue = new ConcurrencyLimit({ runningMax: SENDING_MAX, waitingMax: WAITING_MAX }, tooMany);
  readonly #capacity = new FairSlots(SENDING_MAX + WAITING_MAX);

  constructor(mailer: Mailer) {
    this.#mailer = mailer;
  }

  async send(mail: Mail): Promise<void> {
    const leave = this.#capacity.take(mail.subject);
    if (leave === null) throw tooMany();
    try {
      await this.#queue.run(() => this.#mailer.send(mail));
    } finally {
      leave();
    }
  }
}

function tooMany(): Error {
  return new Error('too many mails are waiting already');
}

export function confirmationMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your email address',
    text: body(
      'Someone, hopefully you, signed up with this email address. To confirm it, open this link within 24 hours:',
      link,
      'If this was not you, ignore this email: no account is created.',
    ),
  };
}

export function knownAddressMail(to: string, signInPage: string): Mail {
  return {
    to,
    subject: 'You already have an account',
    text: body(
      'Someone, hopefully you, signed up with this email address, but it already has an account. Sign in here, or choose "Forgot password?" on that page:',
      signInPage,
      'If this was not you, ignore this email: nothing was changed.',
    ),
  };
}

export function passwordMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: body(
      'Someone, hopefully you, asked to reset the password for this email address. To set a new password, open this link within an hour:',
      link,
      'If this was not you, ignore this email: your password stays the same.',
    ),
  };
}

export function passwordChangedMail(to: string, signInPage: string): Mail {
  return {
    to,
    subject: 'Your password was changed',
    text: body(
      'Your password was changed, and you were signed out everywhere else.',
      signInPage,
      'If this was not you, choose "Forgot password?" on that page immediately, and contact your administrator.',
    ),
  };
}

/** `account` is the name of the inviting account, which any account holder can choose. */
export function invitationMail(to: string, account: string, link: string): Mail {
  return {
    to,
    subject: 'You are invited',
    text: body(
      `You are invited to join "${harmless(account)}". To accept, open this link within 7 days:`,
      link,
      'If you did not expect an invitation, ignore this email.',
    ),
  };
}

const NAME_LENGTH_MAX = 40;

/** A name that somebody chose, without anything that mail clients turn into links. */
export function harmless(name: string): string {
  const words = name.replace(/[^\p{L}\p{M}\p{N} '&-]+/gu, ' ').trim();
  return words.length > NAME_LENGTH_MAX ? `${words.slice(0, NAME_LENGTH_MAX - 1)}…` : words;
}

function body(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
