/**
 * Goal: keys and passwords as people paste them are redacted completely, even right after an escape, and words are not. Method: a
 * made-up key of each kind in several contexts; texts made to take long.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BODY_BYTES_MAX } from './call-capture.ts';
import { HINT } from './find-keys.ts';
import { KNOWN_KEYS } from './known-keys.ts';
import { prepareBody } from './prepare-body.ts';
import { redact } from './redact.ts';

/** `count` letters and digits, the same each time. */
function letters(count: number, alphabet = 'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY'): string {
  return Array.from({ length: count }, (_, index) => alphabet[(index * 7 + 3) % alphabet.length]).join('');
}
const hex = (count: number) => letters(count, '0123456789abcdef');
const base64 = (text: string) => Buffer.from(text).toString('base64');

const keys: Readonly<Record<string, string>> = {
  'one of ours': `sk-tp-${letters(49)}`,
  'one of Anthropic': `sk-ant-api03-${letters(93)}AA`,
  'one of Groq': `gsk_${letters(52)}`,
  'one of NVIDIA': `nvapi-${letters(60)}`,
  'one of Google': `AIza${letters(35)}`,
  'an access token of Google': `ya29.a0Af-${letters(120)}`,
  'a client secret of Google': `GOCSPX-${letters(28)}`,
  'an id of AWS': 'AKIAIOSFODNN7EXAMPLE',
  'a client secret of Azure': `abc8Q~${letters(34)}`,
  'one of GitHub': `ghp_${letters(36)}`,
  'a fine-grained one of GitHub': `github_pat_${letters(22)}_${letters(59)}`,
  'one of GitLab': `glpat-${letters(20)}`,
  'one of Atlassian': `ATATT3xFfGF0${letters(180)}`,
  'one of npm': `npm_${letters(36)}`,
  'one of PyPI': `pypi-AgEIcHlwaS5vcmc${letters(140)}`,
  'one of Docker': `dckr_pat_${letters(27)}`,
  'one of RubyGems': `rubygems_${hex(48)}`,
  'one of Slack': 'xoxb-1234567890-abcdefghij',
  'one of Telegram': `123456789:AA${letters(33)}`,
  'one of Stripe': `sk_live_${letters(24)}`,
  'one of Shopify': `shpat_${hex(32)}`,
  'one of Square': `sq0csp-${letters(43)}`,
  'one of SendGrid': `SG.${letters(22)}.${letters(43)}`,
  'one of Mailgun': `key-${hex(32)}`,
  'one of Mailchimp': `${hex(32)}-us12`,
  'one of Twilio': `SK${hex(32)}`,
  'one of Vault': `hvs.${letters(90)}`,
  'one of Terraform': `${letters(14)}.atlasv1.${letters(67)}`,
  'one of DigitalOcean': `dop_v1_${hex(64)}`,
  'one of Databricks': `dapi${hex(32)}`,
  'one of Supabase': `sbp_${hex(40)}`,
  'one of PlanetScale': `pscale_tkn_${letters(43)}`,
  'one of Grafana': `glsa_${letters(32)}_${hex(8)}`,
  'one of New Relic': `NRAK-${letters(27, 'ABCDEFGH0123')}`,
  'one of Doppler': `dp.pt.${letters(43)}`,
  'one of Postman': `PMAK-${hex(24)}-${hex(34)}`,
  'one of Notion': `ntn_${letters(46)}`,
  'one of Linear': `lin_api_${letters(40)}`,
  'one of Figma': `figd_${letters(40)}`,
  'one of Airtable': `pat${letters(14)}.${hex(64)}`,
  'one of 1Password': `ops_eyJ${letters(300)}`,
  'one of age': `AGE-SECRET-KEY-1${letters(58, 'QPZRY9X8GF2TVDW0')}`,
  'a JSON web token': `eyJ${letters(20)}.${letters(30)}.${letters(20)}`,
  'a webhook of Slack': `hooks.slack.com/services/T01234567/B01234567/${letters(24)}`,
  'a webhook of Discord': `discord.com/api/webhooks/123456789012345678/${letters(68)}`,
};

const surroundings: Readonly<Record<string, (key: string) => string>> = {
  alone: (key) => key,
  'in a sentence': (key) => `use ${key}, please`,
  'in JSON': (key) => `{"a":"${key}"}`,
  'in JSON within JSON': (key) => JSON.stringify({ a: JSON.stringify({ b: key }) }),
  'after the end of a line': (key) => `{"a":"key:\\n${key}\\n"}`,
  'after a tab in JSON within JSON': (key) => JSON.stringify(JSON.stringify(`key:\t${key}`)),
  'after an escaped quote': (key) => `{"a":"\\"${key}\\""}`,
  'after an escaped equals sign': (key) => `{"a":"key\\u003d${key}\\u0026"}`,
  'after a quote of HTML in JSON': (key) => `{"a":"\\u0022${key}\\u0022"}`,
  'in a query': (key) => `https://example.com/?a=1&key=${key}&b=2`,
  'after an escape of a URL': (key) => `https://example.com/?q=key%3D${key}%26b`,
  'after an escape of a URL in a URL': (key) => `?next=%2F%3Fkey%253D${key}%2526`,
};

describe('a key is redacted, and the text around it is unchanged:', () => {
  for (const [name, key] of Object.entries(keys)) {
    test(name, async () => {
      for (const [where, around] of Object.entries(surroundings))
        assert.equal(await redact(around(key)), around('[key]'), where);
    });
  }
});

test('every known kind is tested above, or is like one that is', () => {
  const known = KNOWN_KEYS.filter(({ marks }) =>
    Object.values(keys).some((key) => marks.some((mark) => key.includes(mark))),
  );
  assert.ok(known.length > 35, `${known.length}`);
  for (const { marks, rest } of KNOWN_KEYS) {
    assert.ok(rest.sticky && marks.every((mark) => mark.length >= 2), marks.join());
  }
});

test('a text that does not match the hint contains no key', async () => {
  const hostile = [...Object.values(keys), ...found.map(([, text]) => text)];
  for (const text of hostile) {
    const hasKey = (await redact(text)).includes('[key]');
    assert.ok(!hasKey || HINT.test(text), text.slice(0, 80));
  }
});

const AWS_SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const AZURE = `${letters(60)}+/${letters(24)}==`;
const BASIC = base64('somebody:with a long password');

const found: readonly [name: string, text: string, redacted: string][] = [
  ['an AWS secret by its name', `aws_secret_access_key = ${AWS_SECRET}`, 'aws_secret_access_key = [key]'],
  ['in JSON', `{"SecretAccessKey":"${AWS_SECRET}"}`, '{"SecretAccessKey":"[key]"}'],
  ['with escaped slashes', `{"secretKey": "${AWS_SECRET.replaceAll('/', '\\/')}"}`, '{"secretKey": "[key]"}'],
  ['in a query', `?secret_access_key=${encodeURIComponent(AWS_SECRET)}&a=b`, '?secret_access_key=[key]&a=b'],
  ['near its id', `my keys: AKIAIOSFODNN7EXAMPLE\\n${AWS_SECRET}\\n`, 'my keys: [key]\\n[key]\\n'],
  ['before its id', `${AWS_SECRET} AKIAIOSFODNN7EXAMPLE`, '[key] [key]'],
  ['an AccountKey of Azure', `AccountName=a;AccountKey=${AZURE};Suffix=b`, 'AccountName=a;AccountKey=[key];Suffix=b'],
  [
    'with JSON escapes',
    `"AccountKey=${AZURE.replaceAll('=', '\\u003d').replaceAll('+', '\\u002b')}"`,
    '"AccountKey=[key]"',
  ],
  ['a SharedAccessKey', `SharedAccessKey=${letters(43)}=`, 'SharedAccessKey=[key]'],
  ['a client secret', `client_secret%3D${letters(32)}%26a`, 'client_secret%3D[key]%26a'],
  ['in JSON within JSON', `"{\\"api_key\\": \\"${letters(32)}\\"}"`, '"{\\"api_key\\": \\"[key]\\"}"'],
  ['Basic authentication', `Authorization: Basic ${BASIC}`, 'Authorization: Basic [key]'],
  ['in JSON', `{"Authorization":"Basic ${BASIC.replaceAll('=', '\\u003d')}"}`, '{"Authorization":"Basic [key]"}'],
  ['in an address', `authorization=Basic%20${encodeURIComponent(BASIC)}`, 'authorization=Basic%20[key]'],
  ['a bearer token in an address', `Bearer%20${letters(40)}`, 'Bearer%20[key]'],
  ['a password in an address', 'postgres://app:hunter2!@db.example/x', 'postgres://app:[key]/x'],
  ['with escaped slashes', '"redis:\\/\\/:hunter2@cache"', '"redis:\\/\\/:[key]@cache"'],
  [
    'a private key of PGP',
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\\n\\n${letters(20_000)}\\n-----END PGP PRIVATE KEY BLOCK-----`,
    '[key]-----END PGP PRIVATE KEY BLOCK-----',
  ],
  [
    'a private key of OpenSSH',
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(99)}\n-----END OPENSSH`,
    '[key]-----END OPENSSH',
  ],
  ['one that is cut', `a -----BEGIN PRIVATE KEY-----\n${letters(99)}`, 'a [key]'],
  [
    'a private key of PuTTY',
    `PuTTY-User-Key-File-3: ssh\nPrivate-Lines: 1\n${letters(64)}\nPrivate-MAC: ab`,
    '[key]Private-MAC: ab',
  ],
  ['a card after an escape of a URL', '?card%3D4111111111111111', '?card%3D[card number]'],
  ['an address with an escaped sign', 'to ada%40example.org&b', 'to [e-mail address]&b'],
];

describe('also found:', () => {
  for (const [name, text, expected] of found)
    test(`${name}: ${text.slice(0, 40)}`, async () => assert.equal(await redact(text), expected));
});

const kept = [
  'a basic understanding of internationalization, basic authentication and Basic dGhpcyBpcyBubyBwYWly',
  '{"api_key":{"type":"string","description":"The API key to use"},"client_secret":"YOUR_CLIENT_SECRET_HERE"}',
  'the session token: something-without-any-digits-in-it',
  'patterns, paths, SKILLS, EAA, key-value pairs, key-0123, SG.short, npm_config_registry, hf_transformer',
  'https://example.com:8080/path@x, ssh://git@localhost/a, http://[::1]:80/@a',
  'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8, uuid 123e4567-e89b-12d3-a456-426614174000',
  'https://hooks.slack.com/ and https://discord.com/channels/1/2/3',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
];

for (const text of kept)
  test(`stays as it is: ${text.slice(0, 60)}`, async () => assert.equal(await redact(text), text));

test('no text takes long to redact', async () => {
  const patterns = [
    ...KNOWN_KEYS.flatMap(({ marks }) => marks).flatMap((mark) => [mark, ` ${mark}`, ` ${mark}a`]),
    ...[
      'AKIAIOSFODNN7EXAMPLE ',
      'AKIAIOSFODNN7EXAMPLE/',
      'api_key=',
      'api_key=a',
      'api_key:"',
      'secret access key',
      'basic ',
    ],
    ...[
      'basic QTpB',
      'bearer+',
      'bearer a',
      '://',
      '://a:',
      '://a:b',
      ':\\/\\/',
      '-----BEGIN PRIVATE KEY-----',
      '%3D',
      '\\u003d',
    ],
    ...['PuTTY-User-Key-File-3', '%40', 'a%40', '0', 'f', 'Q~', '1Q~', ':AA', '1:AA', '%25253D', '\\', '%', '4%3D'],
  ];
  // A quarter of the largest body: work that grows with the square takes seconds even there.
  const length = BODY_BYTES_MAX / 4;
  for (const pattern of patterns) {
    const bytes = Buffer.from(`"${pattern.repeat(Math.floor(length / pattern.length))}`);
    const before = process.cpuUsage();
    await prepareBody(bytes, false, true);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 200_000, `${pattern} took ${user + system} µs`);
  }
});
