/** Goal: nobody gives up what is lent to nodes by accident. Method: the command with answers of its routes, with and without a terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandContext } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { adoptLedger } from './adopt.ts';

interface Typed {
  readonly answer?: string;
  readonly yes?: boolean;
  readonly shared?: boolean;
}

async function adopt({ answer, yes = false, shared = true }: Typed) {
  const [called, asked, notes]: [string[], string[], string[]] = [[], [], []];
  const ask = async (question: string) => {
    asked.push(question);
    return answer ?? '';
  };
  const call = async (method: string, path: string) => {
    called.push(`${method} ${path}`);
    if (method === 'POST') return '{"data":{"nodes":2,"returned":3.25}}';
    return shared ? '{"shared":true,"data":[{"lent":3},{"lent":0.25}]}' : '{"shared":false,"data":[]}';
  };
  const context = {
    json: false,
    has: (flag: string) => flag === 'yes' && yes,
    control: async () => ({ call }),
    terminal: { out: (line: string) => notes.push(line), note: (line: string) => notes.push(line), ask },
  };
  const { ask: _ask, ...unattended } = context.terminal;
  const terminal = answer === undefined ? unattended : context.terminal;
  const ran = adoptLedger.run({ ...context, terminal } as unknown as CommandContext);
  const code = await ran.catch((error: unknown) => {
    assert.ok(error instanceof UsageError);
    notes.push(error.message);
    return 2;
  });
  return { code, notes: notes.join('\n'), asked, isAdopted: called.includes('POST /control/api/ledger/adopt') };
}

test('a person is asked, with what is given up, and only a yes goes on', async () => {
  const agreed = await adopt({ answer: 'y' });
  assert.deepEqual([agreed.code, agreed.isAdopted, agreed.asked.length], [0, true, 1]);
  assert.match(
    agreed.asked[0] ?? '',
    /epochs of 2 nodes, and returns \$3\.25 .* the operator bears the rest\..* \[y\/N\] $/,
  );
  for (const answer of ['', 'n', 'yesterday']) {
    const declined = await adopt({ answer });
    assert.deepEqual([declined.code, declined.isAdopted, declined.notes], [2, false, 'Nothing was returned']);
  }
});

test('without a terminal it needs --yes', async () => {
  const unattended = await adopt({});
  assert.deepEqual([unattended.code, unattended.isAdopted], [2, false]);
  assert.match(unattended.notes, /Add --yes to go on$/);
  const confirmed = await adopt({ yes: true });
  assert.deepEqual([confirmed.code, confirmed.isAdopted, confirmed.asked], [0, true, []]);
  assert.match(confirmed.notes, /operator bears the rest[\s\S]*The epochs of 2 nodes are over, and \$3\.25/);
});

test('with one server there is nothing to ask about: the route says why', async () => {
  assert.equal((await adopt({ shared: false })).isAdopted, true);
});
