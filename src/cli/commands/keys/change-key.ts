/** `turnpike keys update`, `disable` and `enable`. */
import type { Command, CommandContext } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { readExact, readJson, shownText } from '../../output.ts';
import { nameOf, readExpiry } from '../../read-values.ts';
import { limitsAsked } from '../limit-flags.ts';
import { findKey, KEY_REFERENCE, keyPath, namesakes } from './find-key.ts';
import { type ChangedKey, type KeyRow, keyRow } from './key-row.ts';
import { keyLimitsText, noteNamesakes, predecessorsText } from './key-text.ts';
import { cacheAsked, keyFlags, originsAsked } from './keys.ts';

export const updateKey: Command = {
  name: 'keys update',
  summary: 'Change a key; flags you leave out keep their value, and none removes a limit',
  ...KEY_REFERENCE,
  flags: {
    ...keyFlags,
    name: { type: 'string', value: '<name>', description: 'New name' },
    expires: { type: 'string', value: '<30d|date|never>', description: 'When it expires' },
  },
  async run(context) {
    const expires = context.text('expires');
    const name = nameOf(context);
    const asked = limitsAsked(context);
    const plain = { ...cacheAsked(context), ...originsAsked(context) };
    const body = {
      ...(name === null ? {} : { name }),
      ...(expires === null
        ? {}
        : { expires_at: expires === 'never' ? null : readExpiry(expires, context.doors.now()) }),
      ...asked,
      ...plain,
    };
    if (name === null && expires === null && isNothing(asked) && isEmpty(plain))
      throw new UsageError('keys update needs at least one flag with a change');
    return change(context, body, (key) => `updated: ${keyLimitsText(key)}`);
  },
};

export const disableKey: Command = {
  name: 'keys disable',
  summary: 'Refuse a key until it is enabled again; its running calls finish',
  ...KEY_REFERENCE,
  run: (context) => change(context, { disabled: true }, () => 'disabled'),
};

export const enableKey: Command = {
  name: 'keys enable',
  summary: 'Enable a disabled key',
  ...KEY_REFERENCE,
  run: (context) => change(context, { disabled: false }, ({ status }) => `enabled; status: ${status}`),
};

async function change(context: CommandContext, body: object, outcome: (key: KeyRow) => string): Promise<number> {
  const control = await context.control();
  const found = await findKey(context, true);
  const text = await control.call('PATCH', keyPath(found), body);
  const { data: changed, predecessors } = readJson<ChangedKey>(text);
  const data = keyRow(changed, found.account);
  const others = 'name' in body ? await namesakes(context, data) : [];
  if (context.json) {
    const exact = readExact<ChangedKey>(text);
    const row = keyRow(exact.data, found.account);
    context.terminal.out(JSON.stringify({ data: row, predecessors: exact.predecessors, same_name: others }));
  } else {
    noteNamesakes(context, data, others);
    context.terminal.out(`Key ${data.id} "${shownText(data.name)}" (${data.label}) ${outcome(data)}.`);
    for (const line of predecessorsText(predecessors)) context.terminal.out(line);
  }
  return 0;
}

function isNothing(asked: { readonly limits: object; readonly permissions: object }): boolean {
  return isEmpty(asked.limits) && isEmpty(asked.permissions);
}

function isEmpty(asked: object): boolean {
  return Object.keys(asked).length === 0;
}
