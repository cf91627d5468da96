/** `turnpike people` and `turnpike operators`: who may sign in, and who runs the installation. */
import type { Command, CommandContext } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { printTable, readJson, shortTime, shownText } from '../../output.ts';
import { readPages } from '../../read-pages.ts';

interface PersonRow {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly is_operator: boolean;
  readonly disabled_at: string | null;
  readonly last_seen_at: string | null;
  readonly accounts: readonly { readonly name: string; readonly role: string }[];
}

const REFERENCE = { parameters: '<id|email>', parameterCount: { min: 1, max: 1 } } as const;
const PAGE_ROWS = 200;

export const listPeople: Command = {
  name: 'people list',
  summary: 'List people with their accounts',
  flags: { operators: { type: 'boolean', description: 'Operators only' } },
  async run(context) {
    const control = await context.control();
    const query = { operators: context.has('operators') ? 'true' : null };
    const people = await readPages<PersonRow>(control, '/control/api/people', query, { pageRows: PAGE_ROWS });
    if (context.json) {
      context.terminal.out(JSON.stringify({ data: people }));
      return 0;
    }
    printTable(
      context,
      ['ID', 'EMAIL', 'NAME', 'STATUS', 'OPERATOR', 'LAST ACTIVE (UTC)', 'ACCOUNTS'],
      people.map((person) => [
        String(person.id),
        person.email,
        person.name,
        person.disabled_at === null ? 'active' : 'disabled',
        person.is_operator ? 'yes' : 'no',
        person.last_seen_at === null ? 'never' : shortTime(person.last_seen_at),
        person.accounts.map(({ name, role }) => `${name} (${role})`).join(', '),
      ]),
    );
    return 0;
  },
};

export const disablePerson: Command = {
  name: 'people disable',
  summary: 'Disable a person: ends their sessions, disables their management keys, cancels their invitations',
  ...REFERENCE,
  run: (context) => change(context, { disabled: true }, 'is disabled'),
};

export const enablePerson: Command = {
  name: 'people enable',
  summary: 'Enable a disabled person; their management keys stay disabled until you enable them',
  ...REFERENCE,
  run: (context) => change(context, { disabled: false }, 'can sign in again'),
};

export const addOperator: Command = {
  name: 'operators add',
  summary: 'Make a person an operator of the installation',
  ...REFERENCE,
  run: (context) => change(context, { operator: true }, 'is now an operator'),
};

export const removeOperator: Command = {
  name: 'operators remove',
  summary: 'Remove the operator role from a person; the last operator keeps it',
  ...REFERENCE,
  run: (context) => change(context, { operator: false }, 'is no longer an operator'),
};

interface Changed {
  readonly data: PersonRow;
  readonly ended: { readonly management_keys: number; readonly invitations: number };
}

async function change(context: CommandContext, body: object, outcome: string): Promise<number> {
  const reference = context.parameters[0] ?? '';
  if (reference.trim() === '') throw new UsageError('name a person by id or email address');
  const control = await context.control();
  const text = await control.call('PATCH', `/control/api/people/${encodeURIComponent(reference)}`, body);
  if (context.json) {
    context.terminal.out(text);
    return 0;
  }
  const { data, ended } = readJson<Changed>(text);
  const also = [
    ...(ended.management_keys === 0 ? [] : [counted(ended.management_keys, 'management key')]),
    ...(ended.invitations === 0 ? [] : [counted(ended.invitations, 'invitation')]),
  ];
  const end = also.length === 0 ? '' : ` Also revoked: ${also.join(', ')}.`;
  context.terminal.out(`${shownText(data.name)} (${data.email}) ${outcome}.${end}`);
  return 0;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
