/** The name of a tool in a namespace where there are no namespaces; `namespace` is null outside one. */
export function flatName(namespace: string | null, name: string): string {
  return namespace === null ? name : `${namespace}__${name}`;
}
