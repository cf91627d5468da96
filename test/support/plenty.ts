/** Enough money for every test that is not about money: spread into a configuration file. */
export const PLENTY = { billing: { firstRunCredit: '1000000' } } as const;

/** On a busy machine no call of a test is refused because an event loop is late, unless the test says when it is. */
const PATIENCE = { loopDelayMs: 60_000 } as const;

/** `turnpike.yaml` as an object, with enough money and patience. */
export function furnished(file: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { ...PLENTY, ...file, limits: { ...PATIENCE, ...(file['limits'] as object | undefined) } };
}
