/** A step of `npm run demo`, and how its answer is judged. */
export interface Step {
  readonly name: string;
  /** The expected change of the balance. */
  readonly balance: 'charged' | 'stays';
  readonly run: () => Promise<Outcome>;
}

export interface Outcome {
  /** The result, in a few words. */
  readonly saw: string;
  readonly status: number | null;
  readonly isRight: boolean;
}

/** `telling` matches, in its first group, what is worth showing. */
export async function expect(pending: Promise<Response>, status: number, telling: RegExp): Promise<Outcome> {
  const response = await pending;
  const text = await response.text();
  const saw = telling.exec(text)?.[1];
  return {
    saw: saw ?? text.slice(0, 200),
    status: response.status,
    isRight: response.status === status && saw !== undefined,
  };
}
