/** `turnpike keys rotate`. */
import { GRACE_MS_MAX } from '../../../accounts/keys.ts';
import type { Command } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { readExact, readJson, shortTime, shownText } from '../../output.ts';
import { readSpan } from '../../read-values.ts';
import { findKey, KEY_REFERENCE, keyPath } from './find-key.ts';
import { keyRow, type ManagedKey } from './key-row.ts';
import { endOf } from './key-text.ts';

export const rotateKey: Command = {
  name: 'keys rotate',
  summary: 'Give a key a new secret, printed once; the old one works until the grace period ends',
  ...KEY_REFERENCE,
  flags: {
    grace: {
      type: 'string',
      value: '<24h>',
      description: 'How long the old secret keeps working, at most 7d; default: 24h',
    },
  },
  async run(context) {
    const grace = context.text('grace') ?? '24h';
    const graceMs = readSpan('grace', grace);
    if (graceMs > GRACE_MS_MAX) throw new UsageError(`--grace ${grace} is too long; the maximum is 7d`);
    const control = await context.control();
    const found = await findKey(context, true);
    const text = await control.call('POST', keyPath(found, '/rotate'), { grace_ms: graceMs });
    if (context.json) {
      const { data, retiring, key } = readExact<Rotated>(text);
      const [successor, old] = [keyRow(data, found.account), keyRow(retiring, found.account)];
      context.terminal.out(JSON.stringify({ data: successor, retiring: old, key }));
      return 0;
    }
    const { data, retiring, key } = readJson<Rotated>(text);
    context.terminal.note(
      `Key ${data.id} "${shownText(data.name)}" replaces key ${retiring.id} (${retiring.label}), which works until ${shortTime(endOf(retiring))} UTC. It is not shown again:`,
    );
    context.terminal.out(key);
    return 0;
  },
};

interface Rotated {
  readonly data: ManagedKey;
  readonly retiring: ManagedKey;
  readonly key: string;
}
