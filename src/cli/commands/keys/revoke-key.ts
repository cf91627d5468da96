/** `turnpike keys revoke`. */
import type { Command, CommandContext } from '../../command.ts';
import { withQuery } from '../../control-client.ts';
import { readExact, readJson, shownText } from '../../output.ts';
import { findKey, KEY_REFERENCE, keyPath } from './find-key.ts';
import { type ChangedKey, keyRow, type ManagedKey } from './key-row.ts';
import { predecessorsText } from './key-text.ts';

export const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key permanently; it stays in reports',
  ...KEY_REFERENCE,
  flags: {
    now: { type: 'boolean', description: 'Cut off its running calls; otherwise they finish' },
    'with-made': {
      type: 'boolean',
      description: 'For a management key: also revoke the keys it created, and cut off their running calls',
    },
  },
  async run(context) {
    const control = await context.control();
    const query = {
      now: context.has('now') ? 'true' : null,
      with_made: context.has('with-made') ? 'true' : null,
    };
    const found = await findKey(context, false);
    const text = await control.call('DELETE', keyPath(found, '', query));
    if (context.json) {
      const { data, predecessors, made } = readExact<Revoked>(text);
      context.terminal.out(JSON.stringify({ data: keyRow(data, found.account), predecessors, made }));
    } else {
      const { data, predecessors, made } = readJson<Revoked>(text);
      context.terminal.out(`Key ${data.id} "${shownText(data.name)}" (${data.label}) revoked.`);
      for (const line of predecessorsText(predecessors)) context.terminal.out(line);
      if (made !== null) for (const line of madeText(made)) context.terminal.out(line);
      // It is revoked, whether or not this can be said.
      for (const line of await batchesText(context, data.id).catch(() => [])) context.terminal.out(line);
    }
    return 0;
  },
};

/** Lines about the batches that the key has made and that have not ended. */
async function batchesText(context: CommandContext, keyId: number): Promise<readonly string[]> {
  const path = withQuery('/control/api/all/batches', { key: String(keyId), status: 'open' });
  const text = await (await context.control()).call('GET', path);
  const { data } = readJson<{ data: readonly { readonly id: string }[] }>(text);
  const { length } = data;
  if (length === 0) return [];
  const many = length === 1 ? '1 batch of it has' : `${length} batches of it have`;
  return [
    `${many} not ended: lines that have not run fail with 401. turnpike batches cancel ends a batch with what it has:`,
    ...data.map(({ id }) => `  ${id}`),
  ];
}

interface Revoked extends ChangedKey {
  readonly made: MadeRow | null;
}

interface MadeRow {
  readonly keys_revoked: number;
  readonly keys_left: readonly Pick<ManagedKey, 'id' | 'name' | 'label' | 'status'>[];
  readonly keys_left_count: number;
}

/** Lines about the keys that a revoked management key created. */
function madeText({ keys_revoked: revoked, keys_left: left, keys_left_count: count }: MadeRow): string[] {
  const unlisted = count - left.length;
  return [
    ...(revoked === 0
      ? []
      : [`${numbered(revoked)} that it created ${revoked === 1 ? 'was' : 'were'} revoked as well.`]),
    ...(count === 0
      ? []
      : [
          `${numbered(count)} that it created ${count === 1 ? 'stays' : 'stay'} active; revoke those no longer needed:`,
        ]),
    ...left.map(({ id, name, label, status }) => `  ${id} "${shownText(name)}" (${label}), ${status}`),
    ...(unlisted === 0 ? [] : [`  and ${unlisted} more`]),
  ];
}

function numbered(count: number): string {
  return count === 1 ? '1 key' : `${count} keys`;
}
