/**
 * Goal: an origin that a member may set reaches public addresses only, however the address is written, and what the operator allows.
 * Method: addresses of every special range, in several spellings, judged alone and within an origin.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EgressPolicy, EgressRefused, PUBLIC_ONLY, parseAllowed } from './egress-policy.ts';

const strict = new EgressPolicy(PUBLIC_ONLY);

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.1.1.1',
  '169.253.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b::8.8.8.8',
];

const REFUSED = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
  ],
  ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1'],
  ...[
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.1.1',
  ],
  ...['240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:0',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
  ],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::1',
    '64:ff9b::',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
  ],
  ...[
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
  ],
  ...['fe80::1%eth0', 'fec0::1', 'ff02::1', '0:0:0:0:0:ffff:7f00:1', 'not an address', ''],
];

test('public addresses are allowed, whatever their spelling', () => {
  for (const address of PUBLIC) assert.ok(strict.allows(address, 443), address);
});

test('private, loopback, link-local, metadata and every other special address is refused', () => {
  for (const address of REFUSED) assert.ok(!strict.allows(address, 443), address);
});

test('spellings that parsers of URLs accept are judged as the address that they mean', () => {
  for (const host of [
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '127.1',
    '0',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '169.254.169.254.',
    '①②⑦.0.0.1',
    '3232235777',
  ])
    assert.notEqual(strict.complaintAbout(`https://${host}/`), null, host);
  for (const host of ['localhost', 'localhost:8443', 'a.localhost', 'metadata.google.internal'])
    assert.notEqual(strict.complaintAbout(`https://${host}/v1`), null, host);
  for (const host of ['api.openai.com', '8.8.8.8', '134744072', 'my-resource.openai.azure.com:8443'])
    assert.equal(strict.complaintAbout(`https://${host}`), null, host);
});

test('only https is allowed, unless the operator allows http', () => {
  assert.match(strict.complaintAbout('http://api.openai.com') ?? '', /https/);
  assert.equal(new EgressPolicy({ allow: [], http: true }).complaintAbout('http://api.openai.com'), null);
  assert.throws(() => strict.checkScheme('http:'), EgressRefused);
});

test('a network that the operator allows is allowed at its port, and nothing else', () => {
  const policy = new EgressPolicy({
    allow: ['10.1.0.0/16', '127.0.0.1/32:8080', '[fd00::/8]:443', 'fe80::/10'],
    http: false,
  });
  const cases: [address: string, port: number, allowed: boolean][] = [
    ['10.1.2.3', 443, true],
    ['::ffff:10.1.2.3', 443, true],
    ['64:ff9b::10.1.2.3', 443, true],
    ['10.2.0.1', 443, false],
    ['127.0.0.1', 8080, true],
    ['127.0.0.1', 8081, false],
    ['127.0.0.2', 8080, false],
    ['fd12::1', 443, true],
    ['fd12::1', 80, false],
    ['fe80::1', 1, true],
    ['169.254.169.254', 443, false],
  ];
  for (const [address, port, allowed] of cases)
    assert.equal(policy.allows(address, port), allowed, `${address} ${port}`);
});

test('one refused address of a host refuses them all', () => {
  assert.throws(() => strict.check(['8.8.8.8', '10.0.0.1'], 443), EgressRefused);
  assert.throws(() => strict.check([], 443), EgressRefused);
  strict.check(['8.8.8.8', '2606:4700::1111'], 443);
});

test('a mistyped network is refused with how to write it', () => {
  for (const text of [
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/8:0',
    '10.0.0.0/8:65536',
    'fd00::/129',
    'fd00::/8:443',
    'example.com/8',
    '10.0.0.0/8:80:80',
    '',
  ])
    assert.throws(() => parseAllowed(text), /must be a network like/, text);
});

test('an error names no address', () => {
  try {
    strict.check(['10.20.30.40'], 443);
    assert.fail('it was allowed');
  } catch (error) {
    assert.ok(error instanceof EgressRefused);
    assert.doesNotMatch(error.message, /10\.20/);
  }
});
