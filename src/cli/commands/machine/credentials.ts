/** `turnpike credentials`: the keys that encrypt secrets in the database. */

import type { Command, CommandContext } from '../../command.ts';
import type { ControlClient } from '../../control-client.ts';
import { readJson, shownText } from '../../output.ts';
import type { Check } from './checks.ts';

export interface SealRow {
  readonly active_key: string;
  readonly older_keys: number;
  readonly sealed: number;
  readonly under_active_key: number;
  readonly unopened: readonly string[];
}

const PATH = '/control/api/credentials';
/** Every sealed value is opened and sealed again. */
const PATIENCE_MS = 10 * 60_000;

export const checkCredentials: Command = {
  name: 'credentials check',
  summary: 'Check that every encrypted value can be decrypted',
  async run(context) {
    const control = await context.control();
    return printResult(context, await control.call('GET', PATH, undefined, { patienceMs: PATIENCE_MS }));
  },
};

export const rotateCredentials: Command = {
  name: 'credentials rotate',
  summary: 'Create a new sealing key and re-encrypt everything; old keys are removed once unused',
  async run(context) {
    const control = await context.control();
    return printResult(context, await control.call('POST', `${PATH}/rotate`, undefined, { patienceMs: PATIENCE_MS }));
  },
};

/** For `doctor`. */
export async function checkSealed(control: ControlClient): Promise<Check> {
  const { data } = readJson<{ data: SealRow }>(await control.call('GET', PATH));
  return { name: 'credentials', state: data.unopened.length === 0 ? 'ok' : 'fail', detail: sealText(data) };
}

function printResult(context: CommandContext, text: string): number {
  const { data } = readJson<{ data: SealRow }>(text);
  if (context.json) context.terminal.out(text);
  else context.terminal.out(`Key ${data.active_key}: ${sealText(data)}`);
  return data.unopened.length === 0 ? 0 : 1;
}

function sealText(row: SealRow): string {
  const older = row.older_keys === 0 ? '' : `, ${row.older_keys} older ${row.older_keys === 1 ? 'key' : 'keys'}`;
  if (row.unopened.length === 0)
    return `${row.sealed} encrypted values, ${row.under_active_key} of them with the active key${older}`;
  const names = row.unopened.map(shownText).join(', ');
  return `${row.unopened.length} of ${row.sealed} cannot be decrypted: ${names}; restore the sealing.key they were encrypted with, or enter them again${older}`;
}
