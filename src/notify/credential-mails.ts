/** Emails that a provider rejects a credential. They have its last characters, as pages show them, and never more. */

export interface RejectedCredential {
  /** The name of the provider's entry. */
  readonly provider: string;
  /** As it is shown elsewhere: `…wXyZ` or `number 2`. */
  readonly credential: string;
  /** The only model that it is rejected for; null for all. */
  readonly model: string | null;
  /** The provider's; null if it is not known. */
  readonly status: number | null;
  /** The page where it is replaced; null without a dashboard. */
  readonly page: string | null;
}

export interface RejectedOwnCredential extends Omit<RejectedCredential, 'model'> {
  /** Its name and that of its account, which their members choose: without anything that becomes a link. */
  readonly name: string;
  readonly account: string;
}

export interface CredentialMail {
  readonly subject: string;
  readonly text: string;
}

/** For operators. */
export function rejectedMail({ provider, credential, model, status, page }: RejectedCredential): CredentialMail {
  return {
    subject: `Provider ${provider}: a credential is rejected`,
    text: body(
      `The provider ${provider} rejects the credential ${credential}${ofModel(model)}${ofStatus(status)}. ${advice(status)}`,
      'Requests go on with another credential or another provider. Where there is none, callers get status 502, upstream_credential_rejected. The credential is tried again every half minute, so nothing needs a restart.',
      `To test every credential of this provider: turnpike providers test ${provider}`,
      ...(page === null ? [] : [page]),
      ONCE_A_DAY,
    ),
  };
}

/** For owners and admins of the account. */
export function ownRejectedMail(rejected: RejectedOwnCredential): CredentialMail {
  const { provider, credential, name, account, status, page } = rejected;
  return {
    subject: `Your own credential for ${provider} is rejected`,
    text: body(
      `The provider ${provider} rejects the own credential "${name}" (${credential}) of the account "${account}"${ofStatus(status)}. ${advice(status)}`,
      'Requests that only it may serve fail with status 502, upstream_credential_rejected.',
      ...(page === null ? [] : [page]),
      ONCE_A_DAY,
    ),
  };
}

const ONCE_A_DAY = 'You get at most one email a day about a credential.';

function ofModel(model: string | null): string {
  return model === null ? '' : ` for the model ${model}`;
}

function ofStatus(status: number | null): string {
  return status === null ? '' : ` with status ${status}`;
}

function advice(status: number | null): string {
  if (status === 401) return 'It is wrong, expired or revoked: create a new one at the provider, and replace it.';
  if (status === 402) return 'Its account at the provider has no credit left: add credit there.';
  if (status === 403) return 'It lacks a right: check at the provider what it, and its account, may use.';
  return 'Check it at the provider, and replace it.';
}

function body(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
