/**
 * A search for words in any order and case.
 * @param typed the words; blank: every text matches
 * @returns whether a text has them all
 */
export function wordSearch(typed: string): (text: string) => boolean {
  const words = typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (text) => {
    const searched = words.length === 0 ? '' : text.toLocaleLowerCase();
    return words.every((word) => searched.includes(word));
  };
}
