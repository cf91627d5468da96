/** `turnpike config check`: the effective values, and where each came from. */
import type { Config } from '../../../config/config.ts';
import { configJsonSchema } from '../../../config/json-schema.ts';
import type { Origin } from '../../../config/origin.ts';
import { ConfigError } from '../../../config/problem.ts';
import { defaultMemoryBytes } from '../../../gateway/capacity/memory-budget.ts';
import type { Command } from '../../command.ts';
import { readCommandConfig, SERVED_ELSEWHERE } from '../../command-config.ts';
import { printTable } from '../../output.ts';
import { effectiveModels } from './effective-models.ts';
import { configurationFlags } from './serve.ts';
import { unknownIds } from './unknown-ids.ts';

export const checkConfig: Command = {
  name: 'config check',
  summary: 'Check the configuration and print each effective value with its source; secrets are masked',
  flags: {
    ...configurationFlags,
    schema: { type: 'boolean', description: 'Print the JSON Schema of turnpike.yaml instead' },
  },
  async run(context) {
    if (context.has('schema')) {
      context.terminal.out(JSON.stringify(configJsonSchema(), null, 2));
      return 0;
    }
    const { loaded, isServed, difference } = await readCommandConfig(context);
    const { config, origins, file, lacking, warnings } = loaded;
    if (lacking.length > 0 && !isServed) throw new ConfigError(lacking);
    for (const { where, message } of lacking) context.terminal.note(`${where}: ${message} here; ${SERVED_ELSEWHERE}`);
    if (difference !== null) context.terminal.note(difference);
    const { problems, doubts } = await unknownIds(loaded);
    const wrong = [...warnings, ...problems];
    for (const { where, message } of [...wrong, ...doubts]) context.terminal.note(`${where}: ${message}`);
    // The server starts with warnings, but a check fails.
    const code = wrong.length === 0 ? 0 : 1;
    const rows = await withModels(config, inEffect(origins));
    if (context.json) {
      context.terminal.out(
        JSON.stringify({ file, data: [...rows].map(([option, origin]) => ({ option, ...origin })) }),
      );
      return code;
    }
    printTable(
      context,
      ['OPTION', 'VALUE', 'SOURCE'],
      [...rows].map(([option, origin]) => [option, origin.value, origin.source]),
    );
    context.terminal.note(file === null ? 'No configuration file.' : `Configuration file: ${file}`);
    return code;
  },
};

/** With values that depend on the machine if the configuration does not set them. */
function inEffect(origins: ReadonlyMap<string, Origin>): ReadonlyMap<string, Origin> {
  const origin = origins.get(MEMORY);
  if (origin?.value !== 'null') return origins;
  return new Map(origins).set(MEMORY, { ...origin, value: String(defaultMemoryBytes()) });
}

const MEMORY = 'limits.memoryBytes';

/** A separate row for each model of a provider, with its effective prices and limits, known or assumed. */
async function withModels(
  config: Config,
  origins: ReadonlyMap<string, Origin>,
): Promise<readonly (readonly [option: string, Origin])[]> {
  const models = await effectiveModels(config);
  return [...origins].flatMap(([option, origin]): (readonly [string, Origin])[] => {
    const rows = models.get(option);
    if (rows === undefined) return [[option, origin]];
    return rows.map(([name, value]) => [`${option}.${name}`, { value, source: origin.source }]);
  });
}
