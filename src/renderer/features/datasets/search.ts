import { wordSearch } from '../../format/word-search.ts';
import { words } from '../../words/words.ts';
import type { Dataset, DatasetType } from '../../../shared/datasets/datasets.ts';

/** `all`, or one of the four types. */
export type TypeFilter = DatasetType | 'all';

/** The datasets of the type whose address, friendly name, or description contains every word of the text. */
export function searchDatasets(
  datasets: readonly Dataset[],
  text: string,
  type: TypeFilter,
): readonly Dataset[] {
  const matches = wordSearch(text);
  return datasets.filter(
    (dataset) =>
      (type === 'all' || dataset.type === type) &&
      matches([addressText(dataset), dataset.friendlyName, dataset.description].join('\n')),
  );
}

/** A dataset's address for display; also its key in lists. */
export function addressText({ provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>): string {
  return `${provider}/${dataset}`;
}

/** A dataset's type for display; unknown types as the service sends them. */
export function typeText({ type, typeSaid }: Pick<Dataset, 'type' | 'typeSaid'>): string {
  return type === null ? words.datasets.otherType(typeSaid) : words.datasets.types[type];
}
