let collator: Intl.Collator | null = null;

/**
 * Orders two names as people do, in the person's language: capital letters and accents make no difference, digits count
 * as numbers. For tens of thousands of them there are keys (`features/wells/list/sort.ts`).
 */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}
