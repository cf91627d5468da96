/** What commands say of a provider: flags, and their values as the management API takes them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext, Flags } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';

/** What may be said of a provider whether it is new or not. */
export const settingFlags: Flags = {
  origin: { type: 'string', value: '<url>', description: 'Its address; what the kind declares when absent' },
  key: { type: 'string', value: '<env:NAME>', description: 'The variable that holds its credential' },
  'key-file': { type: 'string', value: '<file>', description: 'The file that holds its credential' },
  dialects: {
    type: 'string',
    value: '<format>',
    description: 'What it speaks: openai-chat, anthropic-messages; the first is preferred',
    repeatable: true,
  },
  models: {
    type: 'string',
    value: '<name>',
    description: 'What it calls models that are not known of its kind; they are served as <provider>/<name>',
    repeatable: true,
  },
  price: {
    type: 'string',
    value: '<in/out|free>',
    description: 'What these models cost, in USD per million tokens: 0.15/0.60',
  },
  'input-modalities': {
    type: 'string',
    value: '<kind>',
    description: 'What these models read: text, image, audio, video, file; text when absent',
    repeatable: true,
  },
  'output-modalities': {
    type: 'string',
    value: '<kind>',
    description: 'What these models write; text when absent',
    repeatable: true,
  },
};

/** As the management API takes them; what is not given is absent. */
export function settingsOf(context: CommandContext): Readonly<Record<string, unknown>> {
  const dialects = context.list('dialects');
  const price = readPrice(context.text('price'));
  const modalities = { ...readModalities(context, 'input'), ...readModalities(context, 'output') };
  const models = context.list('models').map((upstream) => ({ upstream, price, ...modalities }));
  const [modality] = Object.keys(modalities);
  if (modality !== undefined && models.length === 0)
    throw new UsageError(`--${modality.replace('_', '-')} are those of --models; name them`);
  if (price !== null && models.length === 0) throw new UsageError('--price is that of --models; name them');
  const origin = context.text('origin');
  const credential = readCredential(context);
  return {
    ...(origin === null ? {} : { origin }),
    ...(credential === null ? {} : { credential }),
    ...(dialects.length === 0 ? {} : { dialects }),
    ...(models.length === 0 ? {} : { model_settings: models }),
  };
}

function readPrice(text: string | null): 'free' | { readonly input: string; readonly output: string } | null {
  if (text === null || text === 'free') return text;
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (input !== undefined && output !== undefined) return { input, output };
  throw new UsageError(`--price ${text} is no price; write free, or USD per million tokens in and out: 0.15/0.60`);
}

/** As the management API takes them; it says what is no kind. */
function readModalities(
  context: CommandContext,
  side: 'input' | 'output',
): Readonly<Record<string, readonly string[]>> {
  const names = context.list(`${side}-modalities`);
  return names.length === 0 ? {} : { [`${side}_modalities`]: names };
}

/** Never from the command line itself: every user of the machine can read that, and shells keep it. */
function readCredential(context: CommandContext): string | null {
  const key = context.text('key');
  const file = context.text('key-file');
  if (key !== null && file !== null) throw new UsageError('give --key or --key-file, not both');
  if (key !== null) {
    const [, variable] = /^env:(\w+)$/.exec(key) ?? [];
    if (variable === undefined)
      throw new UsageError(
        '--key names a variable, as in --key env:OPENAI_API_KEY; a secret does not belong on a command line',
      );
    return filled(context.environment[variable], `the variable ${variable}`);
  }
  return file === null ? null : filled(readWhole(resolve(context.cwd, file)), file);
}

function filled(text: string | undefined, where: string): string {
  const credential = text?.trim() ?? '';
  if (credential === '') throw new CommandFailed(`${where} is empty or not there`);
  return credential;
}

function readWhole(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandFailed(`the credential cannot be read: ${(error as Error).message}`);
  }
}
