import type { ProxyAddress } from './proxies.ts';

/**
 * `PROXY_UNREACHABLE`: nothing to connect to, or it closed the connection; `PROXY_REFUSED`: it answered without opening the
 * tunnel.
 */
export type ProxyFailureCode = 'PROXY_UNREACHABLE' | 'PROXY_REFUSED';

/** The proxy failed, not the provider. The message names its address, without user and password. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code: ProxyFailureCode;

  private constructor(code: ProxyFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }

  static unreachable(proxy: ProxyAddress, cause: unknown): ProxyFailure {
    return new ProxyFailure('PROXY_UNREACHABLE', `The proxy ${proxy.origin} cannot be reached.`, cause);
  }

  /** `status` is the HTTP status it answered with. */
  static refused(proxy: ProxyAddress, status: number): ProxyFailure {
    const why = status === 407 ? 'rejected the user or password' : 'did not allow the connection to the provider';
    return new ProxyFailure('PROXY_REFUSED', `The proxy ${proxy.origin} ${why} (status ${status}).`);
  }
}
