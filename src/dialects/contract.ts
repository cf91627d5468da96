/**
 * What every dialect promises, by role. A member's test calls `dialectContract` with hand-written streams, answers and requests in its
 * format; the test of a dialect with one role calls `callerContract` or `providerContract`.
 */
import { callerContract } from './caller-contract.ts';
import { type AnswerFixture, inboundOf } from './contract-fixture.ts';
import type { RelayDialect } from './dialect.ts';
import { type ProviderAnswer, providerContract } from './provider-contract.ts';
import { type RelayFixtures, relayContract } from './relay-contract.ts';

export { callerContract } from './caller-contract.ts';
export {
  type AnswerFixture,
  AT_NO_PATH,
  inboundOf,
  type Metered,
  plainContext,
  type Run,
  relayedAgain,
  runStream,
  seeded,
} from './contract-fixture.ts';
export { providerContract } from './provider-contract.ts';

/** Registers the tests of one member that has both roles. */
export function dialectContract<Quirks extends object>(
  dialect: RelayDialect<string, Quirks>,
  fixtures: RelayFixtures<Quirks>,
): void {
  const of = (what: string) => `${dialect.name}: ${what}`;
  const asked = ({ name, bytes, request, metered }: AnswerFixture): ProviderAnswer => {
    return { name, bytes, metered, peek: dialect.peek(inboundOf(dialect, request)) };
  };
  callerContract(dialect, fixtures.requests, of);
  providerContract(dialect, fixtures.streams.map(asked), fixtures.answers.map(asked), of);
  relayContract(dialect, fixtures, of);
}
