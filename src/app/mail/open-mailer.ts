import type { Config } from '../../config/config.ts';
import type { Mailer } from '../../members/mails.ts';
import { SmtpMailer } from '../../notify/mail.ts';

/** Null if no mail server is configured. */
export function openMailer({ smtp }: Pick<Config, 'smtp'>): Mailer | null {
  if (smtp.url === null || smtp.from === null) return null;
  return new SmtpMailer({ url: smtp.url.reveal(), from: smtp.from });
}
