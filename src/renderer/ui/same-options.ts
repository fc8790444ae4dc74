import { useState } from 'react';

interface Option {
  readonly id: string;
  readonly text: string;
  readonly note?: string;
  readonly shortText?: string;
}

const isSame = (a: Option, b: Option | undefined): boolean =>
  a === b || (a.id === b?.id && a.text === b.text && a.note === b.note && a.shortText === b.shortText);

/** The options of the last time if these are equal: the library builds a hidden list of all options for each other list. */
export function useSameOptions<T extends Option>(options: readonly T[]): readonly T[] {
  const [last, setLast] = useState(options);
  if (options === last) return last;
  if (options.length === last.length && options.every((option, at) => isSame(option, last[at]))) return last;
  setLast(options);
  return options;
}
