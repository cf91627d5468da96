/** Whether a secret may be sent to this address: over TLS, or to this machine. */
export function isSafeAddress({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** Whole: `127.evil.example` is a name like any other. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;
