/** A number in a field; null: the field is empty; undefined: it has no number. */
export type TypedNumber = number | null | undefined;

/**
 * Reads a number as people type it and as the window shows it: `1,250.5`, `−5`.
 * @param text of a field
 * @returns undefined for a decimal comma too: `3,5` could be 35
 */
export function typedNumber(text: string): TypedNumber {
  const trimmed = text.trim().replace('−', '-');
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  if (plain === '') return null;
  const number = Number(plain);
  return Number.isFinite(number) ? number : undefined;
}
