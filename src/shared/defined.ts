/**
 * The members of an object that are defined: spread, an undefined one would replace that of another object.
 * @param values is not changed
 */
export function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // The remaining members keep their names and types.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
