/**
 * News within the process, by topic: who changes a key says so here, and the mirror hears it.
 * Delivery is synchronous and in order; a listener that throws stops the publisher, on purpose.
 */
export class Bus<Topics extends object> {
  readonly #listeners = new Map<keyof Topics, Set<(news: never) => void>>();

  /** Returns a function that unsubscribes. */
  subscribe<Topic extends keyof Topics>(topic: Topic, listener: (news: Topics[Topic]) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener as (news: never) => void);
    return () => void listeners.delete(listener as (news: never) => void);
  }

  publish<Topic extends keyof Topics>(topic: Topic, news: Topics[Topic]): void {
    for (const listener of this.#listeners.get(topic) ?? []) (listener as (news: Topics[Topic]) => void)(news);
  }
}
