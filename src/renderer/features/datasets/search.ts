import { wordSearch } from '../../../shared/word-search.ts';
import { words } from '../../words/words.ts';
import type { Dataset, DatasetType } from '../../../shared/datasets/datasets.ts';

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

/** The datasets over time: those named after WITS first, which have the records of rigs. */
export function datasetsOverTime(datasets: readonly Dataset[]): readonly Dataset[] {
  const rank = (dataset: Dataset) => (isWits(dataset) ? dataset.dataset.length : Infinity);
  return datasets
    .filter(({ type }) => type === 'time')
    .toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** Whether a dataset is named after WITS. */
export const isWits = ({ dataset }: Pick<Dataset, 'dataset'>): boolean => /(^|[._-])wits$/i.test(dataset);

/** A dataset's address for display; also its key in lists. */
export function addressText({ provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>): string {
  return `${provider}/${dataset}`;
}

/** A dataset's type for display; unknown types as the service sends them. */
export function typeText({ type, typeSaid }: Pick<Dataset, 'type' | 'typeSaid'>): string {
  return type === null ? words.datasets.otherType(typeSaid) : words.datasets.types[type];
}
