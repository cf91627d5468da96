/** `turnpike byok add`, `update`, `rotate`, `enable`, `disable` and `remove`. */
import { OVERLAP_MS_MAX } from '../../../byok/own-credential-registry.ts';
import type { Command, CommandContext, Flags } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { readJson, shortTime, shownText } from '../../output.ts';
import { nameOf, readSpan } from '../../read-values.ts';
import { accountOf } from '../accounts/find-account.ts';
import { readCredential } from '../providers/provider-settings.ts';
import {
  accountFlag,
  BYOK_PATH,
  CREDENTIAL_REFERENCE,
  credentialPath,
  findOwnCredential,
  type OwnCredentialRow,
  ownCredentialRow,
} from './find-own-credential.ts';

const secretFlags: Flags = {
  key: { type: 'string', value: '<env:NAME>', description: 'Environment variable with the credential' },
  'key-file': { type: 'string', value: '<file>', description: 'File with the credential' },
};

const policyFlags: Flags = {
  name: { type: 'string', value: '<text>', description: 'A name for it; default: the provider' },
  use: {
    type: 'string',
    value: '<first|only>',
    description: "Before the operator's credentials, or instead of them; default: first",
  },
  fallback: {
    type: 'boolean',
    description: "With first: the operator's credentials may serve a call after this one failed",
  },
  'no-fallback': { type: 'boolean', description: 'Undo --fallback' },
  models: {
    type: 'string',
    value: '<pattern>',
    description: 'Models it is for: ids, or prefixes with *; all makes it one for all models again',
    repeatable: true,
  },
  'base-url': { type: 'string', value: '<url>', description: "Base URL; default: the provider's" },
  region: { type: 'string', value: '<region>', description: 'AWS region of a bedrock credential' },
  'google-project': { type: 'string', value: '<project>', description: 'Google Cloud project of a vertex credential' },
  location: { type: 'string', value: '<location>', description: 'Location of a vertex credential, such as global' },
  'api-version': { type: 'string', value: '<date>', description: 'API version of an azure credential' },
  'cloudflare-account': { type: 'string', value: '<id>', description: 'Account of a cloudflare credential' },
};

export const addOwnCredential: Command = {
  name: 'byok add',
  summary: 'Store an own credential of an account or a project for a provider, encrypted',
  parameters: '<provider>',
  parameterCount: { min: 1, max: 1 },
  flags: {
    ...accountFlag,
    project: { type: 'string', value: '<name|id>', description: 'For one project; default: for all of the account' },
    ...secretFlags,
    ...policyFlags,
  },
  async run(context) {
    const key = readCredential(context);
    if (key === null) throw new UsageError('byok add needs --key env:<NAME> or --key-file <file>');
    const project = context.text('project');
    const body = {
      provider: context.parameters[0] ?? '',
      key,
      ...(project === null ? {} : { project }),
      ...settingsOf(context),
    };
    const account = await accountOf(context);
    const control = await context.control();
    const path = withQuery(BYOK_PATH, { account: String(account.id) });
    return printResult(context, await control.call('POST', path, body), 'stored');
  },
};

export const updateOwnCredential: Command = {
  name: 'byok update',
  summary: 'Change an own credential; with a new --base-url its secret is needed again',
  ...CREDENTIAL_REFERENCE,
  flags: { ...accountFlag, ...secretFlags, ...policyFlags },
  async run(context) {
    const key = readCredential(context);
    const body = { ...settingsOf(context), ...(key === null ? {} : { key }) };
    if (Object.keys(body).length === 0)
      throw new UsageError('byok update needs at least one of --use, --fallback, --models, --name, --key, …');
    return change(context, body, 'updated');
  },
};

export const rotateOwnCredential: Command = {
  name: 'byok rotate',
  summary: 'Replace the secret of an own credential',
  ...CREDENTIAL_REFERENCE,
  flags: {
    ...accountFlag,
    ...secretFlags,
    overlap: {
      type: 'string',
      value: '<24h>',
      description: 'How long the old secret is tried if the new one is refused, at most 30d; default: not at all',
    },
  },
  async run(context) {
    const key = readCredential(context);
    if (key === null) throw new UsageError('byok rotate needs --key env:<NAME> or --key-file <file>');
    const overlap = context.text('overlap');
    const overlapMs = overlap === null ? 0 : readSpan('overlap', overlap);
    if (overlapMs > OVERLAP_MS_MAX) throw new UsageError(`--overlap ${overlap} is too long; the maximum is 30d`);
    const found = await findOwnCredential(context, context.parameters[0] ?? '');
    const control = await context.control();
    const path = credentialPath(found, '/rotate');
    return printResult(context, await control.call('POST', path, { key, overlap_ms: overlapMs }), 'rotated');
  },
};

export const enableOwnCredential: Command = {
  name: 'byok enable',
  summary: 'Use a disabled own credential again',
  ...CREDENTIAL_REFERENCE,
  flags: accountFlag,
  run: (context) => change(context, { disabled: false }, 'enabled'),
};

export const disableOwnCredential: Command = {
  name: 'byok disable',
  summary: 'Stop using an own credential, and its policy, until it is enabled again',
  ...CREDENTIAL_REFERENCE,
  flags: accountFlag,
  run: (context) => change(context, { disabled: true }, 'disabled'),
};

export const removeOwnCredential: Command = {
  name: 'byok remove',
  summary: 'Delete an own credential and its secret; its running calls finish',
  ...CREDENTIAL_REFERENCE,
  flags: accountFlag,
  async run(context) {
    const found = await findOwnCredential(context, context.parameters[0] ?? '');
    const control = await context.control();
    const text = await control.call('DELETE', credentialPath(found));
    if (context.json) context.terminal.out(text);
    else context.terminal.out(`Own credential ${shownText(found.row.name)} removed.`);
    return 0;
  },
};

async function change(context: CommandContext, body: object, outcome: string): Promise<number> {
  const found = await findOwnCredential(context, context.parameters[0] ?? '');
  const control = await context.control();
  return printResult(context, await control.call('PATCH', credentialPath(found), body), outcome);
}

/** Only what was given. */
function settingsOf(context: CommandContext): Readonly<Record<string, unknown>> {
  if (context.has('fallback') && context.has('no-fallback'))
    throw new UsageError('use --fallback or --no-fallback, not both');
  const models = context.list('models');
  const texts = {
    name: nameOf(context),
    use: context.text('use'),
    base_url: context.text('base-url'),
    region: context.text('region'),
    location: context.text('location'),
    api_version: context.text('api-version'),
    google_project: context.text('google-project'),
    cloudflare_account: context.text('cloudflare-account'),
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null)),
    ...(context.has('fallback') ? { fallback: true } : {}),
    ...(context.has('no-fallback') ? { fallback: false } : {}),
    ...(models.length === 0 ? {} : { allowed_models: models.length === 1 && models[0] === 'all' ? null : models }),
  };
}

function printResult(context: CommandContext, text: string, outcome: string): number {
  const { data } = readJson<{ data: OwnCredentialRow }>(text);
  if (context.json) context.terminal.out(JSON.stringify({ data: ownCredentialRow(data) }));
  else
    context.terminal.out(
      `Own credential ${shownText(data.name)} (${data.provider}, ${data.label}) ${outcome}.${overlapText(data)}`,
    );
  return 0;
}

function overlapText({ previous_until: until }: OwnCredentialRow): string {
  return until === null ? '' : ` Until ${shortTime(until)} UTC, the old secret is tried if the new one is refused.`;
}
