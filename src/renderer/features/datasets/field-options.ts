import { pathNames } from '../../../shared/column-paths.ts';
import { channelsOf, type Synonyms } from '../../../shared/channels/channels.ts';
import { plainName, type FieldNames } from '../../../shared/channels/plain-names.ts';
import { wordSearch } from '../../../shared/word-search.ts';
import type { ComboOption } from '../../ui/combo-box.tsx';

export const fieldOptions = (
  fields: readonly { readonly path: string; readonly unit?: string | null | undefined }[],
  names: FieldNames,
): readonly ComboOption[] =>
  fields.map(({ path, unit }) => ({ id: path, text: names(path).line, ...(unit ? { note: unit } : {}) }));

/**
 * A search for fields: by words of their names, or by a name of the channel that they are of, such as “WOB” for `weight_on_bit`.
 * @param synonyms names of channels that the user has added
 * @returns whether a field matches, by its dotted path and further texts
 */
export function fieldSearch(typed: string, synonyms: Synonyms) {
  const matches = wordSearch(typed);
  const meaningsOf = (text: string) => channelsOf(text, { synonyms }).map(({ channel }) => channel);
  const channels = new Set(meaningsOf(typed));
  return (path: string, texts: readonly (string | null | undefined)[] = []): boolean =>
    matches([path, plainName(path), ...texts].join('\n')) ||
    (channels.size > 0 && meaningsOf(pathNames(path).at(-1) ?? '').some((channel) => channels.has(channel)));
}

export function matchingFields(
  options: readonly ComboOption[],
  typed: string,
  synonyms: Synonyms,
): readonly ComboOption[] {
  const matches = fieldSearch(typed, synonyms);
  return options.filter(({ id, text }) => matches(id, [text]));
}
