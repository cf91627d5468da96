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
import { Secret } from '../core/secret.ts';
import { parseDirectHosts } from '../upstream/direct-hosts.ts';
import { parseProxy } from '../upstream/proxies.ts';
import { providerSchema } from './provider-schema.ts';
import { isPublicAddress, PUBLIC_ADDRESS } from './public-address.ts';

const hexadecimal = z.string().regex(/^[0-9a-f]{64}$/i, 'must be 32 bytes, written as 64 hexadecimal digits');
const MIB = 1024 * 1024;
/** A longer timer fires immediately: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const TIMER_MS_MAX = 2 ** 31 - 1;

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
    description:
      'Folder of the database, the records and the generated secrets; relative to where the program is started.',
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
        'Address callers use, where a proxy stands in front, with its path where that serves Turnpike below one (`https://example.com/llm`); shown in hints, never trusted.',
      environment: 'PUBLIC_URL',
      flag: 'public-url',
    }),
  trustProxy: z
    .union([z.int().min(1).max(32), z.array(z.string().refine(isAddressOrRange, 'is no IP address or CIDR range'))], {
      error: 'must be a number of proxies (1 to 32), or a list of addresses and CIDR ranges',
    })
    .nullable()
    .default(null)
    .meta({
      description:
        'Whose X-Forwarded-For is believed: a number of proxies, or addresses and CIDR ranges; off when null.',
      environment: 'TRUST_PROXY',
      flag: 'trust-proxy',
    }),
  log: group({
    level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
      description: 'Least important level that is logged.',
      environment: 'LOG_LEVEL',
      flag: 'log-level',
    }),
    format: z.enum(['json', 'pretty']).default('json').meta({
      description: 'One JSON object a line, or text for people.',
      environment: 'LOG_FORMAT',
      flag: 'log-format',
    }),
  }),
  limits: group({
    bodyBytesMax: count(32 * MIB, 'Largest request body, in bytes.', 1),
    answerBytesMax: count(64 * MIB, 'Largest answer of a provider that is held whole, in bytes.', 1),
    memoryBytes: z.int().min(MIB).nullable().default(null).meta({
      description:
        'Memory for bodies of requests and answers, all running calls together; an account may use half of what others leave free. When null the smallest of 1 GiB, a third of the memory of the machine or container, and half of the heap limit.',
    }),
    parsedValuesMax: count(
      100_000,
      'Values and names of a request, or of an answer of a provider, that is parsed; relayed requests are not.',
      1,
    ),
    parsedTextBytesMax: count(
      8 * MIB,
      'Bytes of a request, or of an answer of a provider, that is parsed, beside inline media; relayed requests are not.',
      1,
    ),
    inFlightMax: count(12_000, 'Calls running at once; further ones get 503.', 1),
    headersMax: count(100, 'Headers of a request.', 10),
    headerBytesMax: count(16 * 1024, 'Bytes of all headers of a request together.', 1024),
    badKeysBurst: count(
      20,
      'Requests with keys that are not valid here that an address may send at once; then 429.',
      1,
    ),
    badKeysPerSecond: count(1, 'How many more of them each second.', 1),
    keysPerAccountMax: count(
      10_000,
      'Keys of an account that are neither revoked nor rotated; with those that are, eleven times as many.',
      1,
    ),
  }),
  timeouts: group({
    connectMs: milliseconds(5_000, 'To open a connection to a provider.'),
    firstByteStreamedMs: milliseconds(120_000, "To a streamed answer's first byte."),
    firstByteMs: milliseconds(600_000, "To a whole answer's first byte."),
    idleMs: milliseconds(300_000, 'Between two pieces of an answer.'),
    writeStallMs: milliseconds(60_000, 'While a caller takes nothing of what is ready for it.'),
    totalMs: milliseconds(3_600_000, 'For a whole call.'),
    pingMs: milliseconds(15_000, 'Between pings to the caller of a quiet stream.'),
    headersMs: milliseconds(10_000, 'For a caller to send all its headers.'),
    drainMs: milliseconds(600_000, 'For running calls to end after SIGTERM.'),
    drainDelayMs: milliseconds(
      0,
      'For new calls to be taken still after SIGTERM, where a load balancer has to look elsewhere first.',
      0,
    ),
  }),
  upstream: group({
    httpsProxy: secret(
      'Proxy for providers at https addresses, like http://user:password@host:3128; https_proxy is read first.',
      { environment: 'HTTPS_PROXY', environmentToo: 'https_proxy', shape: readableBy(parseProxy) },
    ),
    httpProxy: secret('Proxy for providers at http addresses; http_proxy is read first.', {
      environment: 'HTTP_PROXY',
      environmentToo: 'http_proxy',
      shape: readableBy(parseProxy),
    }),
    noProxy: readableBy(parseDirectHosts).nullable().default(null).meta({
      description:
        'Hosts that are reached without a proxy, between commas: names with all below them, addresses, ranges like 10.0.0.0/8, host:port, or *. Loopback always is. no_proxy is read first.',
      environment: 'NO_PROXY',
      environmentToo: 'no_proxy',
    }),
    caFile: z.string().min(1).nullable().default(null).meta({
      description:
        'File of certificates (PEM) of authorities that providers and proxies may be certified by, beside those that Node knows.',
    }),
  }),
  durability: z.enum(['process', 'power']).default('process').meta({
    description: 'What a settled call survives: a crash of the process, or a loss of power (an fsync per commit).',
  }),
  billing: group({
    mode: z.enum(['prepaid', 'postpaid', 'off']).default('prepaid').meta({
      description: 'Whether accounts pay before, after, or not at all.',
    }),
    firstRunCredit: z
      .string()
      .regex(/^\d{1,7}(\.\d{1,9})?$/, 'must be an amount of USD, like "5" or "2.50"')
      .default('5')
      .meta({ description: 'USD that a new installation has to try things with.', decimal: true }),
  }),
  records: group({
    bytesMax: count(1024 * MIB, 'Disk space of the detail records; the oldest days go first.', MIB),
  }),
  idempotency: group({
    bytesMax: count(
      1024 * MIB,
      'Disk space of the answers kept for requests that are sent again; beyond it their keys are known and no answer is kept.',
      MIB,
    ),
  }),
  dashboard: group({
    enabled: z.boolean().default(true).meta({ description: 'Whether the dashboard and its API are served.' }),
    signUp: z.enum(['open', 'invitation', 'off']).default('invitation').meta({
      description:
        'Who may get in beside the operator: anybody with a confirmed e-mail address, whoever is invited, or nobody.',
    }),
  }),
  smtp: group({
    url: secret(
      'Address of the mail server, like smtp://user:password@host:587; without it links are handed over by people.',
      {
        environment: 'SMTP_URL',
        shape: z.string().regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://'),
      },
    ),
    from: z.string().min(3).nullable().default(null).meta({
      description: 'Sender of mails, like "Turnpike <turnpike@example.com>".',
      environment: 'SMTP_FROM',
    }),
  }),
  admin: group({
    email: z.string().min(3).nullable().default(null).meta({
      description: 'E-mail address of the first operator, where no set-up link is wanted; with admin.password.',
      environment: 'ADMIN_EMAIL',
    }),
    password: secret('Password of the first operator, 12 characters or more; used while there is none.', {
      environment: 'ADMIN_PASSWORD',
      shape: z.string().min(12, 'must have 12 characters or more'),
    }),
  }),
  capture: group({
    bytesMax: count(1024 * MIB, 'Disk space of the bodies that accounts let be kept; the oldest days go first.', MIB),
  }),
  demo: z.boolean().default(true).meta({
    description: 'The built-in provider `demo`; off by default where NODE_ENV is production.',
    environment: 'DEMO',
  }),
  metrics: group({
    token: secret('Bearer token that /metrics asks for; open when null.'),
  }),
  pepper: secret('Key of the HMAC that API keys are stored under; made on the first run when null.', {
    shape: hexadecimal,
  }),
  sealingKey: secret("Key that providers' credentials are sealed under; made on the first run when null.", {
    shape: hexadecimal,
  }),
  bootstrapKey: secret('API key to create on the first run, in place of a random one.', {
    environment: 'BOOTSTRAP_KEY',
    shape: z.string().refine(secretShape, 'must be a key of the form sk-tp-… with its checksum'),
  }),
  providers: z.array(providerSchema).default([]).meta({
    description: 'Providers beyond those whose variables are in the environment.',
  }),
});

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
