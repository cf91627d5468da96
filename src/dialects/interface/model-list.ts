/** How the clients of a format list models. */
export interface ModelList {
  /** The vendor whose shape they read. */
  readonly shape: ModelShape;
  /** Where only they ask for it, with GET; a model is below it. Absent if it is `/v1/models`, which several vendors have. */
  readonly path?: string;
}

export type ModelShape = 'openai' | 'anthropic' | 'google';
