/**
 * Work of one kind that comes up in one turn of the event loop, done together right after that turn has taken in
 * all that had arrived. Requests and answers come in mixed; one by one, each step of a call would find the processor's
 * caches full of the others' code and tables. (Larus and Parkes, "Using Cohort Scheduling to Enhance Server
 * Performance", USENIX 2002.) Who is alone loses nothing: the loop turns at once.
 */
export interface Member {
  /** Must not throw: the rest of the cohort comes after it. */
  proceed(): void;
}

export class Cohort {
  #members: Member[] = [];

  /** `proceed` is called once, in the order of joining; there is no leaving. */
  join(member: Member): void {
    if (this.#members.push(member) === 1) setImmediate(this.#proceed);
  }

  readonly #proceed = (): void => {
    const members = this.#members;
    this.#members = [];
    for (const member of members) member.proceed();
  };
}
