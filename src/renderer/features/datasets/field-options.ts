import { plainName, type FieldNames } from '../../../shared/channels/plain-names.ts';
import { wordSearch } from '../../format/word-search.ts';
import type { ComboOption } from '../../ui/combo-box.tsx';

/** Fields to select from, with their units. */
export const fieldOptions = (
  fields: readonly { readonly path: string; readonly unit?: string | null | undefined }[],
  names: FieldNames,
): readonly ComboOption[] =>
  fields.map(({ path, unit }) => ({ id: path, text: names(path).line, ...(unit ? { note: unit } : {}) }));

/** The fields that a text means, by any of their names. */
export function matchingFields(options: readonly ComboOption[], typed: string): readonly ComboOption[] {
  const matches = wordSearch(typed);
  return options.filter(({ id, text }) => matches([id, text, plainName(id)].join('\n')));
}
