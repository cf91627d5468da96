/** A mail server on loopback with the minimum of https://www.rfc-editor.org/rfc/rfc5321. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  /** `MAIL FROM:<…>`, `RCPT TO:<…>`. */
  readonly envelope: readonly string[];
  /** Headers and text, without soft line breaks. */
  readonly text: string;
}

export interface MailServer {
  /** `smtp://127.0.0.1:…`. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Resolves when so many have arrived. */
  arrived(count: number): Promise<readonly ReceivedMail[]>;
  /** Whether recipients are refused. */
  refuses: boolean;
  close(): Promise<void>;
}

export async function startMailServer({ refuses = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let waiting: { readonly count: number; readonly done: () => void }[] = [];
  const receive = (mail: ReceivedMail) => {
    mails.push(mail);
    for (const { count, done } of waiting) if (mails.length >= count) done();
    waiting = waiting.filter(({ count }) => mails.length < count);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serveMail(socket, { receive, refuses: () => mailServer.refuses });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refuses,
    async arrived(count) {
      if (mails.length < count) await new Promise<void>((done) => waiting.push({ count, done }));
      return mails;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return mailServer;
}

interface Serving {
  receive(mail: ReceivedMail): void;
  refuses(): boolean;
}

function serveMail(socket: Socket, { receive, refuses }: Serving): void {
  let lines = '';
  let envelope: string[] = [];
  /** Null outside of DATA. */
  let data: string[] | null = null;
  const answerTo = (line: string): string | null => {
    if (data !== null && line !== '.') {
      data.push(line);
      return null;
    }
    if (data !== null) {
      receive({ envelope, text: plain(data.join('\n')) });
      [envelope, data] = [[], null];
    } else if (line === 'DATA') {
      data = [];
      return '354 go on';
    } else if (/^(MAIL|RCPT)/.test(line)) envelope.push(line);
    return line.startsWith('RCPT') && refuses() ? `550 no such mailbox ${line.slice(9, -1)}` : '250 good';
  };
  socket.write('220 mail.test\r\n');
  socket.on('data', (chunk) => {
    lines += chunk.toString();
    const whole = lines.split('\r\n');
    lines = whole.pop() ?? '';
    for (const line of whole) {
      const answer = answerTo(line);
      if (answer !== null) socket.write(`${answer}\r\n`);
    }
  });
}

/** Quoted-printable or base64 as text: https://www.rfc-editor.org/rfc/rfc2045#section-6.7 */
function plain(data: string): string {
  const at = data.indexOf('\n\n');
  const [head, text] = [data.slice(0, at), data.slice(at + 2)];
  if (/^content-transfer-encoding: base64$/im.test(head))
    return `${head}\n\n${Buffer.from(text, 'base64').toString('utf8')}`;
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return `${head}\n\n${Buffer.from(bytes, 'latin1').toString('utf8')}`;
}
