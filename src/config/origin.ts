/** Where an option's value comes from. */
export interface Origin {
  readonly value: string;
  /** `default`, `turnpike.yaml:3`, `environment PORT`, `flag --port`. */
  readonly source: string;
}
