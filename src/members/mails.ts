/**
 * Mails that people get, in plain text. None holds what a stranger may choose as it is: nobody can send others a text of
 * theirs, or a link.
 */
import { FairRoom } from '../core/fair-room.ts';
import { FewAtOnce } from '../core/few-at-once.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Rejects, with an error that holds nothing of the mail, when the server did not take it. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

const SENDING_MAX = 2;
const WAITING_MAX = 200;

/**
 * Sends a few at once, so that a slow mail server is not met with a hundred connections. Mails of one subject have at most
 * half of the places that the others leave: those that strangers can cause do not keep invitations from leaving.
 */
export class GentleMailer implements Mailer {
  readonly #mailer: Mailer;
  readonly #queue = new FewAtOnce({ runningMax: SENDING_MAX, waitingMax: WAITING_MAX }, tooMany);
  readonly #room = new FairRoom(SENDING_MAX + WAITING_MAX);

  constructor(mailer: Mailer) {
    this.#mailer = mailer;
  }

  async send(mail: Mail): Promise<void> {
    const leave = this.#room.take(mail.subject);
    if (leave === null) throw tooMany();
    try {
      await this.#queue.run(() => this.#mailer.send(mail));
    } finally {
      leave();
    }
  }
}

function tooMany(): Error {
  return new Error('too many mails wait already');
}

export function confirmationMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: body(
      'Somebody, hopefully you, asked for an account with this e-mail address. To confirm it, open this link within 24 hours:',
      link,
      'If it was not you, do nothing: no account is made then.',
    ),
  };
}

export function knownAddressMail(to: string, signInPage: string): Mail {
  return {
    to,
    subject: 'You have an account already',
    text: body(
      'Somebody, hopefully you, asked for an account with this e-mail address, which has one already. Sign in here, or choose "Forgotten password" there:',
      signInPage,
      'If it was not you, do nothing: nothing was changed.',
    ),
  };
}

export function passwordMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: body(
      'Somebody, hopefully you, forgot the password of this e-mail address. To set a new one, open this link within an hour:',
      link,
      'If it was not you, do nothing: the password stays as it is.',
    ),
  };
}

export function passwordChangedMail(to: string, signInPage: string): Mail {
  return {
    to,
    subject: 'Your password was changed',
    text: body(
      'The password of your account was changed, and every other session was ended.',
      signInPage,
      'If it was not you, choose "Forgotten password" on that page at once, and tell whoever runs this installation.',
    ),
  };
}

/** `account` is the name of the account that invites, which anybody with an account chooses. */
export function invitationMail(to: string, account: string, link: string): Mail {
  return {
    to,
    subject: 'You are invited',
    text: body(
      `You are invited to join "${harmless(account)}". To accept, open this link within 7 days:`,
      link,
      'If you expected no invitation, do nothing.',
    ),
  };
}

const NAME_LENGTH_MAX = 40;

/** A name without what programs that show mails make links of. */
function harmless(name: string): string {
  const words = name.replace(/[^\p{L}\p{M}\p{N} '&-]+/gu, ' ').trim();
  return words.length > NAME_LENGTH_MAX ? `${words.slice(0, NAME_LENGTH_MAX - 1)}…` : words;
}

function body(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
