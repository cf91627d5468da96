/** A person's browser at the dashboard's door: it keeps its cookie, and sends the header that marks requests of our page. */
import { type Asked, ask, type Reply } from './ask.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

export class Browser {
  readonly url: string;
  /** Sent with every request: an address from a proxy, for example. */
  readonly headers: Readonly<Record<string, string>>;
  /** The session's cookie, `name=value`; null without one. */
  cookie: string | null = null;
  /** The cookie that identifies this browser, once a person has signed in. */
  device: string | null = null;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.headers = headers;
  }

  /** `path` is below the door. */
  async ask(method: string, path: string, body?: object, headers: Asked['headers'] = {}): Promise<Reply> {
    const reply = await ask(this.url, {
      method,
      path: `/api/dashboard${path}`,
      headers: { ...SAME_ORIGIN, ...this.head(), ...headers },
      body,
    });
    this.#keep(reply);
    return reply;
  }

  /** Headers sent with every request. */
  head(): Readonly<Record<string, string>> {
    const cookies = [this.cookie, this.device].filter((cookie) => cookie !== null);
    return { ...this.headers, ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }) };
  }

  signIn(email: string, password: string): Promise<Reply> {
    return this.ask('POST', '/session', { email, password });
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.ask('GET', '/session')).json.data.user !== null;
  }

  #keep({ headers }: Reply): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';', 1);
      if (pair.includes('-device=')) this.device = pair;
      else this.cookie = /Max-Age=0/.test(line) ? null : pair;
    }
  }
}
