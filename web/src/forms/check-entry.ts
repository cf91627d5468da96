/** Obvious problems with a list entry, shown while typing. The server decides. */

export function checkModelPattern(pattern: string): string | null {
  return pattern.slice(0, -1).includes('*') ? 'Use * only at the end of a pattern.' : null;
}

export function checkAddress(text: string): string | null {
  const [address = '', prefix, ...more] = text.split('/');
  const isVersion6 = address.includes(':');
  const bits = prefix === undefined ? 0 : Number(prefix);
  const isWithin = more.length === 0 && /^\d{1,3}$/.test(prefix ?? '0') && bits <= (isVersion6 ? 128 : 32);
  const looksRight = isVersion6 ? /^[0-9a-f:.]+$/i.test(address) : isVersion4(address);
  return isWithin && looksRight ? null : 'Enter an IP address or a CIDR range such as 10.0.0.0/8.';
}

function isVersion4(address: string): boolean {
  const parts = address.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}

/** An origin has a scheme and a host, perhaps a port, and nothing else. */
export function checkOrigin(text: string): string | null {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/(.+)$/i.exec(text)?.[1] ?? '';
  const looksRight = /^[^/?#@\s*]+\/?$/.test(rest.startsWith('*.') ? rest.slice(2) : rest);
  return looksRight ? null : 'Enter an origin such as https://app.example.com, without a path.';
}
