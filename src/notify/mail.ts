/** Sends email by SMTP. The library is loaded with the first email: most installations send none. */

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  /** `Turnpike <turnpike@example.com>`. */
  readonly from: string;
}

interface Transport {
  sendMail(mail: { from: string; to: string; subject: string; text: string }): Promise<unknown>;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

export class SmtpMailer {
  readonly #options: SmtpOptions;
  #transport: Promise<Transport> | null = null;

  constructor(options: SmtpOptions) {
    this.#options = options;
  }

  /** Rejects if the server did not accept the email, with an error that contains none of its text or addresses. */
  async send({ to, subject, text }: { to: string; subject: string; text: string }): Promise<void> {
    this.#transport ??= openTransport(this.#options.url);
    const transport = await this.#transport;
    try {
      await transport.sendMail({ from: this.#options.from, to, subject, text });
    } catch (error) {
      throw new Error(`the message could not be sent (${reasonOf(error)})`);
    }
  }
}

/** Options: https://nodemailer.com/smtp/ */
async function openTransport(url: string): Promise<Transport> {
  const { createTransport } = await import('nodemailer');
  const { hostname, password, protocol } = new URL(url);
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Never send a password to another machine in clear text, even if an attacker removes STARTTLS.
    requireTLS: protocol === 'smtp:' && password !== '' && !isLoopback(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The library's error code and the server's status code; the server's text may contain addresses. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ') || 'unknown'
  );
}
