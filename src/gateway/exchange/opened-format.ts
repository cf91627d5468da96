import type { ProviderDialect } from '../../dialects/dialect.ts';
import type { FormatPlace } from '../../dialects/interface/operation-format.ts';

/** A provider's own format, for one attempt. */
export interface OpenedFormat extends Pick<ProviderDialect, 'name' | 'readError'> {
  /** Where the request goes, below the provider's path of the operation. */
  readonly place: FormatPlace;
  /** To be called when all of a form has arrived. Throws `GatewayError` 400 if it is not what was sent. */
  checkWhole(): void;
  /** The type of a whole answer for the caller. */
  wholeType(): string;
}
