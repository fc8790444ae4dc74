/**
 * Names of columns made unique: an empty one becomes `column_4` (counted from 1), a repeated one `name (2)`. A name
 * that stands in the file itself is never given to another column.
 */
export function uniqueKeys(names: readonly string[]): string[] {
  const taken = new Set<string>(names.filter((name) => name !== ''));
  const seen = new Set<string>();
  const free = (name: string, first: number): string => {
    for (let count = first; ; count++) {
      const candidate = `${name} (${count})`;
      if (!taken.has(candidate)) return candidate;
    }
  };
  return names.map((name, index) => {
    let key = name === '' ? `column_${index + 1}` : name;
    if (seen.has(key) || (name === '' && taken.has(key))) key = free(key, 2);
    seen.add(key);
    taken.add(key);
    return key;
  });
}
