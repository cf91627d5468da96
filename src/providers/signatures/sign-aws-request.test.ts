/**
 * Goal: the signature is the one that AWS computes. Method: the examples that AWS publishes with their signatures
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html and its test suite).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AwsRequest, awsEncode, signAwsRequest } from './sign-aws-request.ts';

const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const AT = Date.UTC(2015, 7, 30, 12, 36, 0);
const VANILLA: AwsRequest = {
  method: 'GET',
  host: 'example.amazonaws.com',
  path: '/',
  query: '',
  headers: {},
  body: null,
};

function signatureOf(changes: Partial<AwsRequest>, service = 'service', keys = KEYS): string {
  const { authorization = '' } = signAwsRequest({ ...VANILLA, ...changes }, keys, { region: 'us-east-1', service }, AT);
  return authorization.split('Signature=')[1] ?? '';
}

for (const [name, changes, service, expected] of [
  ['get-vanilla', {}, 'service', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', { method: 'POST' }, 'service', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-vanilla-query-order-key-case',
    { query: 'Param2=value2&Param1=value1' },
    'service',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'list users of IAM',
    {
      host: 'iam.amazonaws.com',
      query: 'Action=ListUsers&Version=2010-05-08',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    },
    'iam',
    '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  ],
] as const)
  test(`AWS's example ${name} has its published signature`, () => {
    assert.equal(signatureOf(changes, service), expected);
  });

test('the header names the key, the scope and what is signed', () => {
  const { authorization, ...rest } = signAwsRequest(
    { ...VANILLA, headers: { 'content-type': 'application/json', accept: '*/*', 'x-amz-target': ' a   b ' } },
    { ...KEYS, sessionToken: 'token' },
    { region: 'eu-west-1', service: 'bedrock' },
    AT,
  );
  assert.match(
    String(authorization),
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20150830\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=[0-9a-f]{64}$/,
  );
  assert.deepEqual(rest, { 'x-amz-date': '20150830T123600Z', 'x-amz-security-token': 'token' });
});

test('every byte of the body is signed, however it is cut', () => {
  const body = Buffer.from('{"messages":[]}');
  const whole = signatureOf({ method: 'POST', body });
  assert.equal(signatureOf({ method: 'POST', body: [body.subarray(0, 3), body.subarray(3)] }), whole);
  assert.notEqual(signatureOf({ method: 'POST', body: Buffer.from('{"messages":{}}') }), whole);
});

test('a name in a path is encoded once as it is sent, and a second time as it is signed', () => {
  assert.equal(awsEncode("arn:aws:x/a'b(c)*"), 'arn%3Aaws%3Ax%2Fa%27b%28c%29%2A');
  assert.notEqual(signatureOf({ path: '/model/a%3A0/converse' }), signatureOf({ path: '/model/a:0/converse' }));
});

test('another day has another key', () => {
  const scope = { region: 'us-east-1', service: 'service' };
  const signed = [0, 86_400_000, 0].map((later) => signAwsRequest(VANILLA, KEYS, scope, AT + later)['authorization']);
  assert.equal(signed[0], signed[2]);
  assert.notEqual(signed[0]?.split('Signature=')[1], signed[1]?.split('Signature=')[1]);
});
