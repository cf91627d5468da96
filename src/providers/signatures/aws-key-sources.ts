/** Where AWS access keys come from if an entry has none of its own: the container it runs in, or the role of its machine. */
import { readFileSync } from 'node:fs';
import { GatewayError } from '../../core/errors.ts';
import { asText, type JsonObject } from '../../core/json-object.ts';
import type { Outside, OutsideAnswer } from '../outside.ts';
import { ask, askForToken, tokenText, unusable } from './ask-for-token.ts';
import type { AwsKeys } from './aws-keys.ts';
import type { Renewed } from './renewal.ts';

export type FetchAwsKeys = (outside: Outside) => Promise<Renewed<AwsKeys>>;

/** ECS, EKS and others: https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
export const containerKeys: FetchAwsKeys = async (outside) => {
  const service = "The container's credential service";
  const { environment } = outside;
  const relative = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const full = environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  const address = relative ? `${ECS}${relative}` : full;
  if (address === undefined || !URL.canParse(address)) {
    throw new GatewayError('upstream_credential_rejected', {
      message: `${service} is not known: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and AWS_CONTAINER_CREDENTIALS_FULL_URI are not set.`,
    });
  }
  const url = new URL(address);
  if (url.protocol !== 'https:' && !CONTAINER_HOSTS.test(url.hostname)) {
    throw new GatewayError('upstream_credential_rejected', {
      message: `${service} must be at an https address or at one of this machine or container.`,
    });
  }
  const token = containerToken(environment);
  const { object, headers } = await askForToken(outside, service, {
    origin: url.origin,
    method: 'GET',
    path: url.pathname + url.search,
    headers: token === null ? {} : { authorization: token },
    body: null,
  });
  return readKeys(object, headers, service, outside.clock.now());
};

/** The role of an EC2 instance, by version 2 alone: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html */
export const instanceKeys: FetchAwsKeys = async (outside) => {
  const service = "The instance's metadata service";
  const origin = instanceOrigin(outside.environment);
  const session = await ask(outside, service, {
    origin,
    method: 'PUT',
    path: '/latest/api/token',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
    body: null,
  });
  const token = tokenText(session.body.toString('utf8').trim());
  if (token === null) throw unusable(service);
  const headers = { 'x-aws-ec2-metadata-token': token };
  const read = { origin, method: 'GET', body: null } as const;
  const roles = await ask(outside, service, { ...read, path: ROLES, headers: { ...headers } });
  const [role = ''] = roles.body.toString('utf8').trim().split('\n');
  if (!/^[\w+=,.@-]{1,128}$/.test(role)) throw unusable(service);
  const answer = await askForToken(outside, service, { ...read, path: ROLES + role, headers: { ...headers } });
  return readKeys(answer.object, answer.headers, service, outside.clock.now());
};

const ECS = 'http://169.254.170.2';
/** ECS, EKS's agents, and loopback. */
const CONTAINER_HOSTS = /^(169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::23\]|127(\.\d{1,3}){3}|\[::1\]|localhost)$/;
const ROLES = '/latest/meta-data/iam/security-credentials/';
const INSTANCE = 'http://169.254.169.254';

/** AWS's own variable for another address, which its SDKs read too. */
function instanceOrigin(environment: Outside['environment']): string {
  const address = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'];
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : INSTANCE;
}

/** The content of the file is read each time, because it is replaced. */
function containerToken(environment: Outside['environment']): string | null {
  const file = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  let text = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] ?? '';
  if (file) {
    try {
      text = readFileSync(file, 'utf8').trim();
    } catch (cause) {
      throw new GatewayError('upstream_credential_rejected', {
        message: 'The file in AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE cannot be read.',
        cause,
      });
    }
  }
  return tokenText(text);
}

/** Both services answer with the same object. With their `Date`, how long the keys live is known whatever our clock shows. */
function readKeys(
  object: JsonObject,
  headers: OutsideAnswer['headers'],
  service: string,
  now: number,
): Renewed<AwsKeys> {
  const accessKeyId = tokenText(object['AccessKeyId']);
  const secretAccessKey = tokenText(object['SecretAccessKey']);
  const sessionToken = tokenText(object['Token']);
  const end = Date.parse(asText(object['Expiration']) ?? '');
  const there = Date.parse(String(headers['date'] ?? ''));
  const lifetimeMs = end - (Number.isNaN(there) ? now : there);
  if (accessKeyId === null || secretAccessKey === null || sessionToken === null || !(lifetimeMs > 0))
    throw unusable(service);
  return { value: { accessKeyId, secretAccessKey, sessionToken }, lifetimeMs };
}
