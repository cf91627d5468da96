/** Describes the health of a provider in answers: wall times, and reasons as sentences. */
import { explainConnectionError } from '../../../probe/test-connection.ts';
import type { Provider } from '../../../providers/provider.ts';
import type { Breakers } from '../../../routing/breaker/breakers.ts';
import type { Readiness } from '../../../routing/ports.ts';
import type { FailureReason, HealthFigures } from '../../../telemetry/call-health.ts';
import type { PaceFigures } from '../../../telemetry/pace-samples.ts';
import type { ProviderHealth } from '../../../telemetry/provider-health.ts';

export type HealthReader = Pick<ProviderHealth, 'of' | 'modelsOf' | 'ofModel' | 'pace' | 'wallTime'>;
export type RestReader = Pick<Breakers, 'readiness' | 'ofCredential'>;

/** Null for a provider that is not in use. */
export function healthOf(reader: HealthReader, provider: Provider | undefined) {
  const figures = provider === undefined ? null : reader.of(provider);
  return figures === null ? null : describeHealth(reader, figures);
}

export function describeHealth(reader: Pick<HealthReader, 'wallTime'>, figures: HealthFigures) {
  const { good, failed, limited } = figures.recent;
  const { lastFailure } = figures;
  const wall = (at: number | null) => (at === null ? null : new Date(reader.wallTime(at)).toISOString());
  return {
    state: figures.state,
    since: wall(figures.since),
    last_good_at: wall(figures.lastGoodAt),
    last_failure:
      lastFailure === null
        ? null
        : {
            at: new Date(reader.wallTime(lastFailure.at)).toISOString(),
            code: lastFailure.reason.code,
            status: lastFailure.reason.status,
            reason: explainFailure(lastFailure.reason),
          },
    good,
    failed,
    limited,
    failed_in_a_row: figures.failedInARow,
    error_rate: good + failed === 0 ? null : Math.round((failed / (good + failed)) * 10_000) / 10_000,
    first_byte_p50_ms: rounded(figures.firstByteP50Ms),
    first_byte_p95_ms: rounded(figures.firstByteP95Ms),
    ...describePace(figures.pace),
  };
}

export function describePace(pace: PaceFigures | null) {
  return {
    first_token_p50_ms: rounded(pace?.firstTokenMs ?? null),
    first_token_p95_ms: rounded(pace?.firstTokenP95Ms ?? null),
    tokens_per_second: rounded(pace?.tokensPerSecond ?? null),
  };
}

/** The end of a rest as wall time; null if there is none. */
export function restsUntil(reader: Pick<HealthReader, 'wallTime'>, readiness: Readiness): string | null {
  return typeof readiness === 'string' ? null : new Date(reader.wallTime(readiness.until)).toISOString();
}

/** One sentence for an operator, without text from the provider. */
function explainFailure({ code, status, connectionError }: FailureReason): string {
  const answered = status === null ? '' : ` (HTTP ${status})`;
  switch (code) {
    case 'upstream_credential_rejected':
      return `The provider rejects the credential, or its account has no credit${answered}.`;
    case 'upstream_rate_limited':
      return `The provider is rate limiting requests${answered}.`;
    case 'upstream_overloaded':
      return `The provider is overloaded${answered}.`;
    case 'upstream_timeout':
      return `The provider did not respond in time${answered}.`;
    case 'upstream_unreachable':
      return connectionError === null ? 'The provider could not be reached.' : explainConnectionError(connectionError);
    case 'model_not_found':
      return `The provider does not know this model${answered}.`;
    default:
      if (status === 404 || status === 405) return `There is nothing at its address${answered}; check the origin.`;
      if (status === null || status < 300) return `Its answer broke off, or could not be used${answered}.`;
      return `It answered HTTP ${status}.`;
  }
}

/** To tenths. */
function rounded(figure: number | null): number | null {
  return figure === null ? null : Math.round(figure * 10) / 10;
}
