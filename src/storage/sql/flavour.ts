/** What differs between databases when tables are created; queries are the same everywhere. */
import type { ColumnDataType, ColumnDefinitionBuilder, RawBuilder } from 'kysely';

export interface SqlFlavour {
  readonly bytes: ColumnDataType;
  /** 64 bits. */
  readonly integer: ColumnDataType;
  /** Makes an integer primary key auto-increment without ever reusing an id. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** The clause that stores a table's rows in primary key order, or null if the database has none. */
  readonly clustered: RawBuilder<unknown> | null;
}
