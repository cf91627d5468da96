/** How a request of a format limits what it may cost, in that format's own names. */
export interface CostLimits {
  /** The field with the cap on an answer's tokens, with its path. */
  readonly outputCap: string;
  /** How to limit the uses of tools that the provider runs, as the beginning of a sentence; null if the format cannot. */
  readonly toolUses: string | null;
}
