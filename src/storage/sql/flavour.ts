/** What differs between databases when tables are made; queries are the same everywhere. */
import type { ColumnDataType, ColumnDefinitionBuilder, RawBuilder } from 'kysely';

export interface SqlFlavour {
  readonly bytes: ColumnDataType;
  /** 64 bits. */
  readonly integer: ColumnDataType;
  /** Makes an integer primary key count up by itself, never giving an id twice. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Ends a table whose rows are kept in order of their primary key, or null where that cannot be said. */
  readonly clustered: RawBuilder<unknown> | null;
}
