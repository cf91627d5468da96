/** AWS access keys, as an operator enters them: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_use-resources.html */
import { asText, isObject, parseObject } from '../../core/json-object.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Null for keys that do not end. */
  readonly sessionToken: string | null;
}

/**
 * `ID:SECRET`, `ID:SECRET:SESSION_TOKEN`, or the JSON of `aws configure export-credentials` and `aws sts assume-role`. Null for other text,
 * which is a Bedrock API key. Throws a `TypeError` whose message continues "The provider … ".
 */
export function readAwsKeys(text: string): AwsKeys | null {
  if (text.startsWith('{')) return checked(readJson(text));
  if (!text.includes(':')) return null;
  const [accessKeyId = '', secretAccessKey = '', sessionToken = '', ...rest] = text.split(':');
  if (rest.length > 0) throw wrong();
  return checked({ accessKeyId, secretAccessKey, sessionToken: sessionToken === '' ? null : sessionToken });
}

function readJson(text: string): AwsKeys {
  const outer = parseObject(text) ?? {};
  const keys = isObject(outer['Credentials']) ? outer['Credentials'] : outer;
  const read = (name: string) => asText(keys[name]) ?? asText(keys[name.charAt(0).toUpperCase() + name.slice(1)]);
  return {
    accessKeyId: read('accessKeyId') ?? '',
    secretAccessKey: read('secretAccessKey') ?? '',
    sessionToken: read('sessionToken'),
  };
}

function checked(keys: AwsKeys): AwsKeys {
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const isToken = sessionToken === null || /^[\x21-\x7e]+$/.test(sessionToken);
  if (!/^\w{16,128}$/.test(accessKeyId) || !/^[\x21-\x7e]+$/.test(secretAccessKey) || !isToken) throw wrong();
  return keys;
}

function wrong(): TypeError {
  return new TypeError(
    'has a credential that is neither a Bedrock API key nor access keys, ID:SECRET or ID:SECRET:SESSION_TOKEN',
  );
}
