/** Sends mail by SMTP. The library is read when the first mail is sent: most installations send none. */

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

  /** Rejects when the server did not take the mail, with an error that holds nothing of it and no address. */
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
    // A password never goes to another machine in the clear, whoever stands in between and leaves out STARTTLS.
    requireTLS: protocol === 'smtp:' && password !== '' && !isLoopback(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** What the library calls the failure, and the server's number; its text may hold addresses. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ') || 'unknown'
  );
}
