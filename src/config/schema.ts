/**
 * Every option: its type, its default, what it does, and its names in the environment and on the
 * command line. The file's shape, `config check`, `config.schema.json` and the typed `Config` all
 * come from here; an option is added in this file and nowhere else.
 *
 * Environment names default to `TURNPIKE_` and the path in capitals (`TURNPIKE_LIMITS_BODY_BYTES_MAX`).
 */
import { isIP } from 'node:net';
import * as z from 'zod';
import { secretShape } from '../accounts/secret/key-secret.ts';
import { knownIdOf } from '../catalog/models.ts';
import { isPercent, PERCENT_MAX } from '../core/rates/rate.ts';
import { Secret } from '../core/secret.ts';
import { parseDirectHosts } from '../upstream/direct-hosts.ts';
import { parseAllowed } from '../upstream/egress-policy.ts';
import { parseProxy } from '../upstream/proxies.ts';
import { aliasesSchema } from './alias-schema.ts';
import { parseDatabaseUrl, parseValkeyUrl } from './database/database-url.ts';
import { providerSchema } from './provider-schema.ts';
import { isPublicAddress, PUBLIC_ADDRESS } from './public-address.ts';

const hexadecimal = z.string().regex(/^[0-9a-f]{64}$/i, 'must be 32 bytes, written as 64 hexadecimal digits');
const MIB = 1024 * 1024;
/** A longer timer fires immediately: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const TIMER_MS_MAX = 2 ** 31 - 1;

const MODEL_ID = /^[^\s/]+\/\S+$/;
const MODEL_MARKUPS_MAX = 1_000;
const percentage = z
  .number()
  .refine(isPercent, `must be a percentage from 0 to ${PERCENT_MAX} with at most 4 decimal places`);

const partPercentage = percentage.refine((value) => value <= 100, 'must be at most 100');

export const configSchema = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').meta({
    description: 'Address to listen on; 0.0.0.0 for every interface.',
    environment: 'HOST',
    flag: 'host',
  }),
  port: z.int().min(0).max(65535).default(8080).meta({
    description: 'Port to listen on; 0 for any free one.',
    environment: 'PORT',
    flag: 'port',
  }),
  dataFolder: z.string().min(1).default('./data').meta({
    description: 'Folder for the database, records and generated secrets; relative to the working directory.',
    environment: 'TURNPIKE_DATA',
    flag: 'data',
  }),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .refine(isPublicAddress, PUBLIC_ADDRESS)
    .nullable()
    .default(null)
    .meta({
      description:
        'URL that callers use if there is a proxy in front, including its path (`https://example.com/llm`); used in links and hints, never trusted.',
      environment: 'PUBLIC_URL',
      flag: 'public-url',
    }),
  trustProxy: z
    .union(
      [z.int().min(1).max(32), z.array(z.string().refine(isAddressOrRange, 'is not an IP address or CIDR range'))],
      {
        error: 'must be a number of proxies (1 to 32), or a list of addresses and CIDR ranges',
      },
    )
    .nullable()
    .default(null)
    .meta({
      description:
        'Proxies whose X-Forwarded-For is trusted: a number of proxies, or addresses and CIDR ranges; null for none.',
      environment: 'TRUST_PROXY',
      flag: 'trust-proxy',
    }),
  log: group({
    level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
      description: 'Lowest level that is logged.',
      environment: 'LOG_LEVEL',
      flag: 'log-level',
    }),
    format: z.enum(['json', 'pretty']).default('json').meta({
      description: 'One JSON object per line, or human-readable text.',
      environment: 'LOG_FORMAT',
      flag: 'log-format',
    }),
  }),
  limits: group({
    bodyBytesMax: count(32 * MIB, 'Largest request body, in bytes.', 1),
    uploadBytesMax: count(
      100 * MIB,
      'Largest request that is a form with files, such as a recording or images to edit, in bytes; it is sent on as it arrives.',
      1,
    ),
    fileBytesMax: count(
      200 * MIB,
      'Largest file that a caller can upload for batches, in bytes; it is stored as it arrives.',
      1,
    ),
    accountFilesBytesMax: count(2048 * MIB, 'Bytes of all files of an account; each takes 16 KiB at least.', 1),
    accountFilesMax: count(10_000, 'Files of an account, with the two that a batch writes while it runs.', 1),
    answerBytesMax: count(64 * MIB, 'Largest complete provider answer, in bytes.', 1),
    memoryBytes: z.int().min(MIB).nullable().default(null).meta({
      description:
        'Memory for request and answer bodies of all running calls; an account can use half of what others leave free. Default (null): the smallest of 1 GiB, a third of the memory of the machine or container, and half of the heap limit.',
    }),
    parsedValuesMax: count(
      100_000,
      'Values and names of a parsed request or provider answer; relayed requests are not parsed.',
      1,
    ),
    parsedTextBytesMax: count(
      8 * MIB,
      'Bytes of a parsed request or provider answer, not counting inline media; relayed requests are not parsed.',
      1,
    ),
    inFlightMax: count(12_000, 'Concurrent calls; further ones get 503, first those of whoever has the most.', 1),
    loopDelayMs: milliseconds(
      100,
      'Duration of event loop turns (the 99th percentile of a second) above which half of new calls get 503; above five times as much, all do.',
    ),
    headersMax: count(100, 'Number of headers of a request.', 10),
    headerBytesMax: count(16 * 1024, 'Total bytes of all headers of a request.', 1024),
    badKeysBurst: count(20, 'Burst of requests with invalid keys per IP address; then 429.', 1),
    badKeysPerSecond: count(1, 'Further requests with invalid keys per second.', 1),
    keysPerAccountMax: count(
      10_000,
      'Keys per account that are neither revoked nor rotated; including those, eleven times as many.',
      1,
    ),
  }),
  timeouts: group({
    connectMs: milliseconds(5_000, 'Time to connect to a provider.'),
    firstByteStreamedMs: milliseconds(120_000, 'Time to the first byte of a streamed answer.'),
    firstByteMs: milliseconds(600_000, 'Time to the first byte of an answer that is not streamed.'),
    idleMs: milliseconds(300_000, 'Time between two chunks of an answer.'),
    writeStallMs: milliseconds(60_000, 'Time a caller may stop reading.'),
    totalMs: milliseconds(3_600_000, 'Total time of a call.'),
    pingMs: milliseconds(15_000, 'Interval of pings to the caller on an idle stream.'),
    headersMs: milliseconds(10_000, 'Time for a caller to send all headers.'),
    drainMs: milliseconds(600_000, 'Time for running calls to finish after SIGTERM.'),
    drainDelayMs: milliseconds(
      0,
      'Time to accept new calls after SIGTERM, while a load balancer redirects traffic.',
      0,
    ),
  }),
  upstream: group({
    httpsProxy: secret(
      'Proxy for providers with https URLs, such as http://user:password@host:3128; https_proxy is read first.',
      { environment: 'HTTPS_PROXY', environmentToo: 'https_proxy', shape: readableBy(parseProxy) },
    ),
    httpProxy: secret('Proxy for providers with http URLs; http_proxy is read first.', {
      environment: 'HTTP_PROXY',
      environmentToo: 'http_proxy',
      shape: readableBy(parseProxy),
    }),
    noProxy: readableBy(parseDirectHosts).nullable().default(null).meta({
      description:
        'Comma-separated hosts that bypass the proxy: names including their subdomains, addresses, ranges such as 10.0.0.0/8, host:port, or *. Loopback always bypasses it. no_proxy is read first.',
      environment: 'NO_PROXY',
      environmentToo: 'no_proxy',
    }),
    caFile: z.string().min(1).nullable().default(null).meta({
      description: 'File with certificates (PEM) of additional authorities for providers and proxies.',
    }),
  }),
  egress: group({
    allow: z.array(readableBy(parseAllowed)).default([]).meta({
      description:
        'Networks that base URLs of own credentials may lead to although they are not public: 10.1.0.0/16, 127.0.0.1/32:8080, [fd00::/8]:443. Everything that is not public is refused otherwise.',
    }),
    http: z.boolean().default(false).meta({
      description: 'Whether base URLs of own credentials may be http; otherwise only https.',
    }),
  }),
  durability: z.enum(['process', 'power', 'database']).nullable().default(null).meta({
    description:
      'What a settled call survives: `process`, a crash of the process; `power`, a power loss, too (an fsync per commit); `database`, the loss of the machine with its disk, too (with `database.url` only). `null` is `database` with a database and `process` without.',
  }),
  database: group({
    url: secret(
      'URL of a PostgreSQL database, version 15 or later, that several nodes share, such as postgres://user:password@host:5432/turnpike. It has everything but calls under way; without it, the data folder has all of it. `pepper` and `sealingKey` are required with it.',
      { environment: 'DATABASE_URL', shape: readableBy(parseDatabaseUrl) },
    ),
    readUrl: secret('URL of a replica that reports are read from; null for the database itself.', {
      shape: readableBy(parseDatabaseUrl),
    }),
    connections: count(
      8,
      'Connections of this node for people, keys and settings; it opens up to twelve more for money, reports and maintenance.',
      2,
    ),
  }),
  valkey: group({
    url: secret(
      'URL of a Valkey or Redis that the nodes of a database share, such as redis://:password@host:6379 (rediss:// with TLS). It has only what may be forgotten: rate limits hold over all nodes within a tenth of a second with it, within a second without it. Not used without a database.',
      { environment: 'VALKEY_URL', environmentToo: 'REDIS_URL', shape: readableBy(parseValkeyUrl) },
    ),
  }),
  nodes: group({
    name: z.string().min(1).max(100).nullable().default(null).meta({
      description: 'What operators call this node; null for the name of its machine.',
    }),
    staleMaxMs: milliseconds(
      600_000,
      'How long known keys are accepted while changes of keys cannot be read from the database. With `billing.mode` `prepaid`, calls that cost money end after 100 s without the database in any case.',
    ),
  }),
  billing: group({
    mode: z.enum(['prepaid', 'postpaid', 'off']).default('prepaid').meta({
      description: 'Whether accounts pay in advance, afterwards or not at all.',
    }),
    firstRunCredit: z
      .string()
      .regex(/^\d{1,7}(\.\d{1,9})?$/, 'must be an amount of USD, like "5" or "2.50"')
      .default('5')
      .meta({ description: 'USD credit of a new installation.', decimal: true }),
    markup: percent('Percent that calls are charged above the list price.'),
    modelMarkups: z
      .array(
        z.strictObject({
          model: z.string().regex(MODEL_ID, 'must be <vendor>/<name>'),
          markup: percentage,
          batchPercent: partPercentage.optional(),
        }),
      )
      .max(MODEL_MARKUPS_MAX)
      .superRefine(refuseDoubles)
      .default([])
      .meta({ description: 'Markups of single models, by id; they replace `markup`.' }),
    batchPercent: partPercentage.default(100).meta({
      description:
        'Percent of the usual price that lines of batches cost; `modelMarkups` may have another for a model.',
    }),
    ownCredentialFee: percent('Percent of the list price that calls with own credentials of an account are charged.'),
  }),
  records: group({
    bytesMax: count(1024 * MIB, 'Disk space for call records; the oldest days are deleted first.', MIB),
  }),
  idempotency: group({
    bytesMax: count(
      1024 * MIB,
      'Disk space for answers stored for retried requests; beyond it only their keys are stored.',
      MIB,
    ),
  }),
  batches: group({
    linesAtOnce: count(8, 'Lines of batches at a time; they begin while half of `limits.inFlightMax` is free.', 1),
    linesMax: count(50_000, 'Lines of one batch.', 1),
    openMax: count(50, 'Batches of an account that have not ended.', 1),
    endedMax: count(1_000, 'Batches of an account that have ended and are still shown; the oldest go first.', 1),
  }),
  responseCache: group({
    bytesMax: count(
      64 * MIB,
      'Memory for answers that equal requests get again; 0 keeps none. Only calls that ask for it, or whose key does, use it.',
      0,
    ),
  }),
  dashboard: group({
    enabled: z.boolean().default(true).meta({ description: 'Whether to serve the dashboard and its API.' }),
    publicModels: z.boolean().default(false).meta({
      description:
        'Whether visitors who are not signed in see the models at /models: prices, context windows, abilities, speed and uptime.',
    }),
    signUp: z.enum(['open', 'invitation', 'off']).default('invitation').meta({
      description: 'Who can sign up: anyone with a confirmed email address, invited people only, or no one.',
    }),
  }),
  smtp: group({
    url: secret(
      'URL of the mail server, such as smtp://user:password@host:587; without it, people share links themselves.',
      {
        environment: 'SMTP_URL',
        shape: z.string().regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://'),
      },
    ),
    from: z.string().min(3).nullable().default(null).meta({
      description: 'Sender of emails, such as "Turnpike <turnpike@example.com>".',
      environment: 'SMTP_FROM',
    }),
  }),
  admin: group({
    email: z.string().min(3).nullable().default(null).meta({
      description: 'Email address of the first operator, instead of a setup link; requires admin.password.',
      environment: 'ADMIN_EMAIL',
    }),
    password: secret('Password of the first operator, at least 12 characters; used only while there is no operator.', {
      environment: 'ADMIN_PASSWORD',
      shape: z.string().min(12, 'must have 12 characters or more'),
    }),
  }),
  capture: group({
    bytesMax: count(1024 * MIB, 'Disk space for stored prompts and responses; the oldest days are deleted first.', MIB),
  }),
  demo: z.boolean().default(true).meta({
    description: 'The built-in provider `demo`; off by default if NODE_ENV is production.',
    environment: 'DEMO',
  }),
  metrics: group({
    token: secret('Bearer token for /metrics; null for open access.'),
  }),
  pepper: secret('HMAC key for stored API keys; generated on the first run if null and there is no database.', {
    shape: hexadecimal,
  }),
  sealingKey: secret(
    "Key that encrypts providers' credentials, and with a database the keys there that do; generated on the first run if null and there is no database.",
    {
      shape: hexadecimal,
    },
  ),
  bootstrapKey: secret('API key to create on the first run instead of a random one.', {
    environment: 'BOOTSTRAP_KEY',
    shape: z.string().refine(secretShape, 'must be a key of the form sk-tp-… with its checksum'),
  }),
  providers: z.array(providerSchema).default([]).meta({
    description: 'Providers, in addition to those from environment variables.',
  }),
  aliases: aliasesSchema.default([]).meta({
    description: 'Names that lead to models, for all accounts.',
  }),
});

function percent(description: string) {
  return percentage.default(0).meta({ description });
}

function refuseDoubles(markups: readonly { readonly model: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { model }] of markups.entries()) {
    const id = knownIdOf(model) ?? model;
    if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'model'], message: 'is listed twice' });
    seen.add(id);
  }
}

/** Metadata of an option beyond its type. */
export interface OptionNotes {
  readonly description?: string | undefined;
  readonly environment?: string;
  /** Another name of the variable, which is read first. */
  readonly environmentToo?: string;
  readonly flag?: string;
  readonly secret?: boolean;
  /** A number kept as its digits. */
  readonly decimal?: boolean;
}

function group<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as never);
}

function count(fallback: number, description: string, min: number) {
  return z.int().min(min).default(fallback).meta({ description });
}

function milliseconds(fallback: number, description: string, min = 1) {
  return z
    .int()
    .min(min)
    .max(TIMER_MS_MAX)
    .default(fallback)
    .meta({ description: `${description} In milliseconds.` });
}

function secret(
  description: string,
  notes: { environment?: string; environmentToo?: string; shape?: z.ZodString } = {},
) {
  const { shape = z.string().min(1), ...names } = notes;
  return shape
    .transform((value) => new Secret(value))
    .nullable()
    .default(null)
    .meta({ description, secret: true, ...names });
}

/** Text that `read` accepts; otherwise it throws a `TypeError` with the reason. */
function readableBy(read: (text: string) => unknown): z.ZodString {
  return z.string().superRefine((text, context) => {
    try {
      read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as TypeError).message });
    }
  });
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
