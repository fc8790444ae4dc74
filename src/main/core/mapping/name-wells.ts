import { maxOf } from '../../../shared/lists.ts';
import type { WellCandidate } from '../../../shared/upload/wells.ts';
import type { CallOptions, PlatformService } from '../wire/services/services.ts';
import { wellsNamedLike } from './assets.ts';

/** Maximum number of words of a name that are looked up. */
const maxLookups = 3;
/** Words of file names that are seldom part of a well's name. */
const common =
  /^(?:surveys?|wells?|data|export|logs?|las|csv|drilling|depth|time|reports?|stages?|final|raw|daily|day|copy|of|and|the)$/;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The words to search by: those with letters and digits identify a well best, then long ones. */
function searchWords(words: readonly string[]): string[] {
  const rank = (word: string) => (/\d/.test(word) ? 1 : 0) * 100 + word.length;
  return [...new Set(words)]
    .filter((word) => word.length > 1 && /\p{L}/u.test(word) && !common.test(word))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, maxLookups);
}

/** Whether the words of a well's name follow each other in those of the file's name. */
function isNamed(well: string, words: readonly string[]): boolean {
  const name = wordsOf(well).join('');
  return words.some((_, from) =>
    words.some((__, to) => to >= from && words.slice(from, to + 1).join('') === name),
  );
}

/**
 * The wells whose name is in the name of a file, such as `Ridge_A-101H surveys.csv`; only those with the longest name.
 * @throws errors of the platform service
 */
export async function wellsInName(
  platform: PlatformService,
  fileName: string,
  options: CallOptions,
): Promise<WellCandidate[]> {
  const words = wordsOf(fileName.replace(/(?:\.[A-Za-z]\w{0,6}){1,2}$/, ''));
  const named = new Map<number, WellCandidate>();
  for (const word of searchWords(words)) {
    for (const well of await wellsNamedLike(platform, word, options))
      if (isNamed(well.name, words)) named.set(well.assetId, well);
    if (named.size > 0) break;
  }
  const lengthOf = ({ name }: WellCandidate) => wordsOf(name).join('').length;
  const longest = maxOf([...named.values()].map(lengthOf));
  return [...named.values()].filter((well) => lengthOf(well) === longest);
}
