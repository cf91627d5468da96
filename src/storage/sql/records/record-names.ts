/** Numbers for the names in records: they are most of a record, and few differ. */
export interface RecordNames {
  /** The positive number of a name. */
  idOf(name: string): number;
  nameOf(id: number): string;
}
