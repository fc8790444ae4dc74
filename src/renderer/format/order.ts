let collator: Intl.Collator | null = null;

/**
 * Compares two names in the user's language: case and accents are ignored, digits count as numbers. For tens of
 * thousands of names there are keys (`features/wells/well-index.ts`).
 */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}
