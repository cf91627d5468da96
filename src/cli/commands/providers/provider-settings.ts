/** The flags for settings of a provider, and their values as the management API takes them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext, Flags } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { readAskedPrice } from './asked-price.ts';

/** Flags for new and existing providers. */
export const settingFlags: Flags = {
  origin: { type: 'string', value: '<url>', description: 'Base URL; default: that of the provider type' },
  key: { type: 'string', value: '<env:NAME>', description: 'Environment variable with the credential' },
  'key-file': { type: 'string', value: '<file>', description: 'File with the credential' },
  region: { type: 'string', value: '<region>', description: 'AWS region of a bedrock provider' },
  project: { type: 'string', value: '<project>', description: 'Google Cloud project of a vertex provider' },
  location: { type: 'string', value: '<location>', description: 'Location of a vertex provider, such as global' },
  'api-version': {
    type: 'string',
    value: '<date>',
    description: 'API version of an azure provider; default: its v1 API',
  },
  'account-id': { type: 'string', value: '<id>', description: 'Account of a cloudflare provider' },
  'credential-from': {
    type: 'string',
    value: '<source>',
    description: 'Instead of --key: fetch AWS keys from the container or the instance',
  },
  dialects: {
    type: 'string',
    value: '<format>',
    description: 'API formats: openai-chat, anthropic-messages, openai-responses; the first is preferred',
    repeatable: true,
  },
  'own-credentials-only': {
    type: 'string',
    value: '<true|false>',
    description: 'Call it only with own credentials of accounts and projects (turnpike byok); it then has none itself',
  },
  models: {
    type: 'string',
    value: '<name>',
    description:
      'Models by the provider’s names, served as <provider>/<name>; <name>=<vendor>/<model> says which model of the catalogue it is: my-deployment=openai/gpt-5.1',
    repeatable: true,
  },
  price: {
    type: 'string',
    value: '<in/out|unit=usd|free>',
    description:
      'Price of these models: USD per million tokens, input/output (0.15/0.60); for one of what is charged by the piece (image=0.04, image/1024x1024=0.08, character=0.000015, second=0.0001, search=0.002); or free',
    repeatable: true,
  },
  'input-modalities': {
    type: 'string',
    value: '<kind>',
    description: 'Input types of these models: text, image, audio, video, file; default: as known, otherwise text',
    repeatable: true,
  },
  'output-modalities': {
    type: 'string',
    value: '<kind>',
    description: 'Output types of these models, also embeddings, rerank, moderation; default: as known, otherwise text',
    repeatable: true,
  },
};

/** The settings from the flags, as the management API takes them; others are absent. */
export function settingsOf(context: CommandContext): Readonly<Record<string, unknown>> {
  const dialects = context.list('dialects');
  const asked = readAskedPrice(context.list('price'), LINES);
  // A model that is charged by the piece need not have prices of tokens.
  const price = asked === null || asked === 'free' ? asked : { input: '0', output: '0', ...asked };
  const modalities = { ...readModalities(context, 'input'), ...readModalities(context, 'output') };
  const models = context.list('models').map((text) => ({ ...readModel(text), price, ...modalities }));
  const [modality] = Object.keys(modalities);
  if (modality !== undefined && models.length === 0)
    throw new UsageError(`--${modality.replace('_', '-')} applies to --models; add it`);
  if (price !== null && models.length === 0) throw new UsageError('--price applies to --models; add it');
  const origin = context.text('origin');
  const credential = readCredential(context);
  const ownOnly = readBoolean(context, 'own-credentials-only');
  return {
    ...readOptions(context),
    ...(ownOnly === null ? {} : { own_credentials_only: ownOnly }),
    ...(origin === null ? {} : { origin }),
    ...(credential === null ? {} : { credential }),
    ...(dialects.length === 0 ? {} : { dialects }),
    ...(models.length === 0 ? {} : { model_settings: models }),
  };
}

function readBoolean(context: CommandContext, flag: string): boolean | null {
  const text = context.text(flag);
  if (text === null) return null;
  if (text !== 'true' && text !== 'false') throw new UsageError(`--${flag} takes true or false`);
  return text === 'true';
}

/** `my-deployment=openai/gpt-5.1`: a name at the provider, and the id of the model. */
function readModel(text: string): { readonly upstream: string; readonly id?: string } {
  const at = text.lastIndexOf('=');
  if (at === -1) return { upstream: text };
  const [upstream, id] = [text.slice(0, at), text.slice(at + 1)];
  if (upstream !== '' && /^[^\s/]+\/\S+$/.test(id)) return { upstream, id };
  throw new UsageError(`--models ${text}: after "=" comes the id of a model, <vendor>/<name>`);
}

/** Options of single kinds; the management API refuses those that a kind does not take. */
function readOptions(context: CommandContext): Readonly<Record<string, string>> {
  const given = OPTION_FLAGS.map((flag) => [flag.replace('-', '_'), context.text(flag)] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

const OPTION_FLAGS = ['region', 'project', 'location', 'api-version', 'account-id', 'credential-from'] as const;

/** The lines that the management API takes besides those of tokens and units. */
const LINES = { cacheRead: 'cache_read', cacheWrite: 'cache_write', inputImage: 'input_image' } as const;

/** The modalities from the flags; the management API refuses unknown ones. */
function readModalities(
  context: CommandContext,
  side: 'input' | 'output',
): Readonly<Record<string, readonly string[]>> {
  const names = context.list(`${side}-modalities`);
  return names.length === 0 ? {} : { [`${side}_modalities`]: names };
}

/** Never from the command line itself: every user of the machine can read it, and shells store it in their history. */
export function readCredential(context: CommandContext): string | null {
  const key = context.text('key');
  const file = context.text('key-file');
  if (key !== null && file !== null) throw new UsageError('use --key or --key-file, not both');
  if (key !== null) {
    const [, variable] = /^env:(\w+)$/.exec(key) ?? [];
    if (variable === undefined)
      throw new UsageError(
        '--key takes a variable, as in --key env:OPENAI_API_KEY; never put a secret on the command line',
      );
    return filled(context.environment[variable], `the variable ${variable}`);
  }
  return file === null ? null : filled(readWhole(resolve(context.cwd, file)), file);
}

function filled(text: string | undefined, where: string): string {
  const credential = text?.trim() ?? '';
  if (credential === '') throw new CommandFailed(`${where} is empty or missing`);
  return credential;
}

function readWhole(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandFailed(`the credential cannot be read: ${(error as Error).message}`);
  }
}
