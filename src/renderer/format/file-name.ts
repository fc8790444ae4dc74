/** The maximum length of a part of a file name: with an ending, a dialog takes up to 200 characters. */
const maxPartLength = 120;

/** A text as a part of a file name, which every system takes. */
export const suitable = (text: string): string =>
  text.replaceAll(/[\\/:*?"<>|#%\p{Cc}]+/gu, '-').slice(0, maxPartLength);

/** A title as a part of a file name: its words with hyphens between them. */
export const titleName = (title: string): string =>
  title.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, maxPartLength);

/**
 * A file name for records of a dataset: `wits 2026-11-21.csv`.
 * @param part which of the records are in the file, if not all that match: `12 selected rows`
 */
export function suggestedName(dataset: string, today: Date, part?: string): string {
  const day = today.toISOString().slice(0, 10);
  const of = part === undefined ? '' : `, ${part}`;
  return `${suitable(dataset)} ${day}${of}.csv`;
}
