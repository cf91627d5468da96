/** A gateway to sign in to: the operator exists already, and calls go to a provider that a test scripts. */
import { type ConfigFile, OPEN_MODEL, type OpenBench, openBench } from '../support/open-gateway.ts';
import { DESK, Person, type Size } from './browser.ts';
import { ask, OPERATOR, setUp, signIn } from './operator.ts';

export interface Stage extends OpenBench {
  /** A browser in which the operator is signed in. */
  operator(size?: Size, scheme?: 'light' | 'dark'): Promise<Person>;
  /** A browser in which nobody is signed in. */
  stranger(size?: Size, scheme?: 'light' | 'dark'): Promise<Person>;
  /** A whole answer to a call with a key; the test checks the status. */
  ask(key: string, content?: string, model?: string): Promise<Response>;
}

export async function openStage(file: ConfigFile = {}, parts: Parameters<typeof openBench>[1] = {}): Promise<Stage> {
  const bench = await openBench(file, parts);
  try {
    await setUp((await bench.app.setUpLink()) ?? '');
  } catch (error) {
    // Left open it would keep the test's process from ending, and hide why.
    await bench.close();
    throw error;
  }
  return {
    ...bench,
    async operator(size = DESK, scheme = 'light') {
      const person = await Person.at(bench.url, size, scheme);
      await signIn(person, OPERATOR);
      return person;
    },
    stranger: (size = DESK, scheme = 'light') => Person.at(bench.url, size, scheme),
    ask: (key, content = 'hi', model = OPEN_MODEL) => ask(bench.url, key, content, model),
  };
}
