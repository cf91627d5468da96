/** Where else clients of a format put the key, in addition to `Authorization: Bearer` and `X-API-Key`. */
export interface CallerCredential {
  /** A header, in lower case. It is accepted only on the format's own paths. */
  readonly header: string;
  /** Parameters of the query in which some of them send it. They are refused, because addresses are logged. */
  readonly refusedParameters: readonly string[];
}
