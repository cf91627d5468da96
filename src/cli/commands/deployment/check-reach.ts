/** Whether the deployment answers, over what connection, and whether connections stay open. */
import { type Deployment, objectIn, Unanswered, valueAt } from './deployment.ts';
import { type Finding, seconds } from './finding.ts';

const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS_MIN = 14;

const CERTIFICATE = 'Serve a certificate of an authority that clients trust, with its intermediate certificates.';
const FIXES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Check the host name, and its DNS entry.',
  ECONNREFUSED: 'Start the server, or open its port in the firewall and at the proxy.',
  ECONNRESET: 'Check whether that port speaks the protocol of the URL, http or https.',
  EPROTO: 'Check whether that port speaks the protocol of the URL, http or https.',
  TIMEOUT: 'Check the firewall, and whether the proxy reaches the server.',
  CERT_HAS_EXPIRED: 'Renew the certificate.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a certificate for this host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
};

/** The findings, and whether it is a Turnpike that answers: otherwise nothing else can be checked. */
export async function checkReach(
  deployment: Deployment,
  nowMs: number,
): Promise<{ readonly findings: readonly Finding[]; readonly isReached: boolean }> {
  try {
    const first = await deployment.ask({ method: 'GET', path: '/health' });
    const version = valueAt(objectIn(first), 'version');
    if (first.status >= 300 && first.status < 400)
      return unreached(redirected(deployment, String(first.headers.location ?? '')));
    if (typeof version !== 'string') return unreached(notTurnpike(first.status));
    const reached: Finding =
      first.status === 200
        ? {
            name: 'reachable',
            state: 'ok',
            detail: `Turnpike ${deployment.shown(version)}, answered in ${seconds(first.endMs)}`,
          }
        : {
            ...{ name: 'reachable', state: 'fail', detail: `Turnpike ${deployment.shown(version)} is not ready` },
            fix: 'Read the reasons with `turnpike doctor` on the machine of the server.',
          };
    const second = await deployment.ask({ method: 'GET', path: '/health/live' });
    return {
      findings: [reached, tlsFinding(deployment, first.tls, nowMs), keepAlive(second.isReused)],
      isReached: true,
    };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return unreached({
      ...{ name: 'reachable', state: 'fail', detail: `no answer: ${error.code}` },
      fix:
        FIXES[error.code] ?? (error.code.includes('CERT') ? CERTIFICATE : 'Check the URL, the network and the proxy.'),
    });
  }
}

function unreached(finding: Finding) {
  return { findings: [finding], isReached: false };
}

function redirected(deployment: Deployment, location: string): Finding {
  return {
    ...{ name: 'reachable', state: 'fail', detail: `redirects to ${deployment.shown(location)}` },
    fix: 'Use the address that it redirects to: many clients do not follow redirects of a POST.',
  };
}

function notTurnpike(status: number): Finding {
  return {
    ...{ name: 'reachable', state: 'fail', detail: `something else answers, with status ${status}` },
    fix: 'Use the base URL of a Turnpike, and let the proxy pass every path below it.',
  };
}

function tlsFinding(
  { url }: Deployment,
  tls: { protocol: string; validTo: number | null } | null,
  nowMs: number,
): Finding {
  const name = 'TLS';
  if (tls === null) {
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    if (isLocal) return { name, state: 'ok', detail: 'not used, on this machine' };
    return {
      ...{ name, state: 'warn', detail: 'not used: everyone on the way can read keys and prompts' },
      fix: 'Put a proxy with a certificate in front of it, and give clients its https URL.',
    };
  }
  if (tls.validTo === null) return { name, state: 'ok', detail: tls.protocol };
  const days = Math.floor((tls.validTo - nowMs) / DAY_MS);
  const detail = `${tls.protocol}, the certificate is valid for ${days} more days`;
  return days >= CERTIFICATE_DAYS_MIN
    ? { name, state: 'ok', detail }
    : { name, state: 'warn', detail, fix: 'Renew the certificate, and check why that does not happen by itself.' };
}

function keepAlive(isReused: boolean): Finding {
  const name = 'keep-alive';
  if (isReused) return { name, state: 'ok', detail: 'a connection is used for several requests' };
  return {
    ...{ name, state: 'warn', detail: 'each request needs a new connection' },
    fix: 'Let the proxy keep the connections of clients open (nginx: keepalive_timeout 75s).',
  };
}
