/**
 * Goal: each origin finds its proxy, and an invalid address is refused without being repeated. Method: valid and invalid
 * addresses.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Proxies, parseProxy } from './proxies.ts';

test('https and http origins have a proxy each', () => {
  const proxies = new Proxies({ https: 'http://one:1', http: 'two:2', direct: 'inside.example' });
  assert.equal(proxies.of('https://api.example')?.origin, 'http://one:1');
  assert.equal(proxies.of('http://api.example:8000')?.origin, 'http://two:2');
  assert.equal(proxies.of('https://a.inside.example'), null);
  assert.equal(proxies.of('http://127.0.0.1:8000'), null);
  assert.equal(new Proxies({ https: null, http: 'two:2', direct: null }).of('https://api.example'), null);
});

test('user and password become a header and appear nowhere else', () => {
  const proxy = parseProxy('http://us%40er:pa%3Ass%25@proxy:3128/');
  assert.equal(proxy.origin, 'http://proxy:3128');
  assert.equal(Buffer.from(proxy.authorization?.slice('Basic '.length) ?? '', 'base64').toString(), 'us@er:pa:ss%');
  assert.equal(parseProxy('proxy:3128').authorization, null);
  assert.equal(parseProxy('https://proxy').origin, 'https://proxy');
});

test('an address that is not an HTTP proxy’s is refused, and no part of it is repeated', () => {
  for (const bad of [
    'socks5://canary:canary@h:1',
    'http://',
    'http://h:1/canary',
    'http://h:1?canary',
    'http://canary%:p@h',
    'ftp://canary',
  ])
    assert.throws(
      () => parseProxy(bad),
      (error) => error instanceof TypeError && !error.message.includes('canary'),
      bad,
    );
});
