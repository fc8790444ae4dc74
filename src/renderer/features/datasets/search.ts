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
  const wanted = text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return datasets.filter((dataset) => {
    if (type !== 'all' && dataset.type !== type) return false;
    const hay = searchableText(dataset);
    return wanted.every((word) => hay.includes(word));
  });
}

// Cached: each key press searches the whole list.
const searchableTexts = new WeakMap<Dataset, string>();

function searchableText(dataset: Dataset): string {
  const cachedText = searchableTexts.get(dataset);
  if (cachedText !== undefined) return cachedText;
  const cached = [addressText(dataset), dataset.friendlyName, dataset.description]
    .join('\n')
    .toLocaleLowerCase();
  searchableTexts.set(dataset, cached);
  return cached;
}

/** A dataset's address for display; also its key in lists. */
export function addressText({ provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>): string {
  return `${provider}/${dataset}`;
}

/** A dataset's type for display; unknown types as the service sends them. */
export function typeText({ type, typeSaid }: Pick<Dataset, 'type' | 'typeSaid'>): string {
  return type === null ? words.datasets.otherType(typeSaid) : words.datasets.types[type];
}
