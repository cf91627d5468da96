/**
 * Requests to Azure: an API key in a header of its own, or tokens of Entra ID for an application.
 *
 * https://learn.microsoft.com/en-us/azure/ai-services/openai/reference#authentication
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
import { asText, parseObject } from '../../core/json-object.ts';
import type { Outside } from '../outside.ts';
import { inHeader, type Signature } from '../signature.ts';
import { askForToken, lifetimeMs, tokenText, unusable } from './ask-for-token.ts';
import type { Renewed } from './renewal.ts';
import { isSafeAddress } from './safe-address.ts';
import { TokenSigner } from './token-signer.ts';

export const azureSignature: Signature = {
  name: 'api-key or bearer token',
  open(credential, around) {
    const client = readEntraClient(credential.reveal());
    if (client === null) return apiKey.open(credential, around);
    const { outside } = around;
    return new TokenSigner({ clock: outside.clock, fetch: () => fetchEntraToken(client, outside) }, [
      client.clientSecret,
    ]);
  },
};

const apiKey = inHeader('api-key', 'api-key');

/** An application in Entra ID. */
interface EntraClient {
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where tokens are issued; other clouds have another one. */
  readonly authority: URL;
}

const AUTHORITY = 'https://login.microsoftonline.com';
const SCOPE = 'https://cognitiveservices.azure.com/.default';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * `TENANT:CLIENT_ID:CLIENT_SECRET`, or JSON with those names, as `az ad sp create-for-rbac` prints it too. Null for other text, which is an
 * API key. Throws a `TypeError` whose message continues "The provider … ".
 */
function readEntraClient(text: string): EntraClient | null {
  if (text.startsWith('{')) return readJson(text);
  const [tenant = '', clientId = '', ...secret] = text.split(':');
  if (!UUID.test(tenant) || !UUID.test(clientId)) return null;
  return checked({ tenant, clientId, clientSecret: secret.join(':'), authority: new URL(AUTHORITY) });
}

function readJson(text: string): EntraClient {
  const fields = parseObject(text) ?? {};
  const read = (...names: string[]) => names.map((name) => asText(fields[name])).find((value) => value !== null) ?? '';
  const authority = URL.parse(read('authority') || AUTHORITY);
  return checked({
    tenant: read('tenantId', 'tenant'),
    clientId: read('clientId', 'appId'),
    clientSecret: read('clientSecret', 'password'),
    authority,
  });
}

function checked({ authority, ...client }: Omit<EntraClient, 'authority'> & { authority: URL | null }): EntraClient {
  if (authority === null || !isSafeAddress(authority))
    throw new TypeError('has a credential whose authority is not an https address');
  if (/^[\w.-]+$/.test(client.tenant) && client.clientId !== '' && client.clientSecret !== '')
    return { ...client, authority };
  throw new TypeError(
    'has a credential that is neither an API key nor an application in Entra ID, TENANT:CLIENT_ID:CLIENT_SECRET',
  );
}

/** Throws `GatewayError` 502. */
async function fetchEntraToken(client: EntraClient, outside: Outside): Promise<Renewed<string>> {
  const service = 'Entra ID';
  const { tenant, clientId, clientSecret, authority } = client;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: SCOPE,
  });
  const { object } = await askForToken(outside, service, {
    origin: authority.origin,
    method: 'POST',
    path: `/${tenant}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(body.toString()),
  });
  const value = tokenText(object['access_token']);
  const lives = lifetimeMs(object['expires_in']);
  if (value === null || lives === null) throw unusable(service);
  return { value, lifetimeMs: lives };
}
