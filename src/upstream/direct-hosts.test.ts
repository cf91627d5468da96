/**
 * Goal: NO_PROXY means the same as in curl and other programs, so that nothing internal goes to a proxy and nothing external
 * bypasses it. Method: tables of lists and origins.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDirectHosts } from './direct-hosts.ts';

const CASES: readonly (readonly [list: string, direct: readonly string[], proxied: readonly string[]])[] = [
  [
    '',
    ['http://localhost:1', 'http://a.localhost', 'http://127.9.9.9', 'http://[::1]:8', 'http://[::ffff:127.0.0.1]'],
    ['https://api.example', 'http://10.0.0.1', 'http://localhost.example'],
  ],
  ['', ['http://169.254.169.254', 'http://169.254.170.2', 'http://[fd00:ec2::254]'], ['http://170.254.169.254']],
  ['*', ['https://api.example', 'http://10.0.0.1'], []],
  [
    'example.com',
    ['https://example.com', 'https://EXAMPLE.com.', 'https://a.b.example.com:8443'],
    ['https://notexample.com', 'https://example.com.evil.net', 'https://example.co'],
  ],
  ['.example.com', ['https://example.com', 'https://a.example.com'], ['https://aexample.com']],
  ['*.Example.com,other', ['https://a.example.com', 'http://other:9', 'http://x.other'], ['https://another']],
  [
    'example.com:8443',
    ['https://example.com:8443', 'https://a.example.com:8443'],
    ['https://example.com', 'https://example.com:84'],
  ],
  [
    'example.com:443 plain.example:80',
    ['https://example.com', 'http://plain.example'],
    ['http://example.com', 'https://plain.example'],
  ],
  ['10.1.2.3', ['http://10.1.2.3:8000', 'http://[::ffff:10.1.2.3]'], ['http://10.1.2.30', 'http://a.10.1.2.3.example']],
  ['10.1.2.3:8000', ['http://10.1.2.3:8000'], ['http://10.1.2.3']],
  [
    '10.0.0.0/8, 192.168.4.0/22 , fd00::/8',
    ['http://10.255.0.1', 'http://192.168.7.255', 'http://[fd12::1]'],
    ['http://11.0.0.1', 'http://192.168.8.0', 'http://[fe80::1]', 'http://ten.example'],
  ],
  [
    '[2001:db8::1]:8443,2001:db8::2',
    ['https://[2001:db8::1]:8443', 'http://[2001:db8::2]:9'],
    ['https://[2001:db8::1]', 'http://[2001:db8::3]'],
  ],
];

test('a list matches the same hosts as in other programs', () => {
  for (const [list, direct, proxied] of CASES) {
    const hosts = parseDirectHosts(list);
    for (const origin of direct) assert.equal(hosts.has(new URL(origin)), true, `${origin} is direct by "${list}"`);
    for (const origin of proxied) assert.equal(hosts.has(new URL(origin)), false, `${origin} is proxied by "${list}"`);
  }
});

test('an invalid range is refused and named', () => {
  for (const range of ['10.0.0.0/33', '10.0.0/8', 'example.com/8', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/'])
    assert.throws(
      () => parseDirectHosts(`a, ${range}`),
      (error: TypeError) => error.message.includes(range),
    );
});
