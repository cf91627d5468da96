/**
 * What host names resolve to, in this process: stands in for the system's resolver where every connection asks it (`dns.lookup`, which
 * `node:net` calls when it connects). A test says what a name's server would answer, and sees how often it was asked.
 */
import dns from 'node:dns';
import { mock } from 'node:test';

/** Addresses; an error of the resolver by its code, such as `ENOTFOUND` (no such name) or `EAI_AGAIN` (no server answers well); or silence. */
export type NameAnswer = readonly string[] | 'ENOTFOUND' | 'EAI_AGAIN' | 'silence';

export interface HostNames {
  /** The names that were asked for, in order. */
  readonly asked: readonly string[];
  /** From now on. A name that is not set is the system's to resolve. */
  set(host: string, answer: NameAnswer): void;
  /** Answers every question that met silence, now. */
  answerLate(addresses: readonly string[]): void;
  close(): void;
}

type Done = (error: Error | null, address?: unknown, family?: number) => void;
interface Question {
  readonly options: dns.LookupOptions;
  readonly done: Done;
}

export function standInForResolver(): HostNames {
  const answers = new Map<string, NameAnswer>();
  const asked: string[] = [];
  const waiting: Question[] = [];
  const system = dns.lookup as (host: string, options: dns.LookupOptions, done: Done) => void;
  const lookup = (host: string, options: dns.LookupOptions, done: Done): void => {
    const answer = answers.get(host);
    if (answer === undefined) return system(host, options, done);
    asked.push(host);
    if (answer === 'silence') waiting.push({ options, done });
    else setImmediate(() => reply({ options, done }, host, answer));
  };
  const mocked = mock.method(dns, 'lookup', lookup as never);
  return {
    asked,
    set: (host, answer) => void answers.set(host, answer),
    answerLate(addresses) {
      for (const question of waiting.splice(0)) reply(question, 'late.test', addresses);
    },
    close: () => mocked.mock.restore(),
  };
}

function reply({ options, done }: Question, host: string, answer: Exclude<NameAnswer, 'silence'>): void {
  if (typeof answer === 'string') {
    const error = new Error(`getaddrinfo ${answer} ${host}`);
    return done(Object.assign(error, { code: answer, syscall: 'getaddrinfo', hostname: host }));
  }
  const family = (address: string) => (address.includes(':') ? 6 : 4);
  if (options.all === true)
    return done(
      null,
      answer.map((address) => ({ address, family: family(address) })),
    );
  const [first = ''] = answer;
  done(null, first, family(first));
}
