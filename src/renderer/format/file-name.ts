/** The maximum length of a part of a file name: with an ending, a dialog takes up to 200 characters. */
const maxPartLength = 120;
const maxWellLength = 40;

/** A text as a part of a file name, which every system takes. */
export const suitable = (text: string): string =>
  text.replaceAll(/[\\/:*?"<>|#%\p{Cc}]+/gu, '-').slice(0, maxPartLength);

/** A title as a part of a file name: its words with hyphens between them. */
export const titleName = (title: string): string =>
  title.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, maxPartLength);

interface RecordsOf {
  readonly wells: readonly string[];
  /** Their range: `2026-11-19 to 2026-11-20`; null: open. */
  readonly range: string | null;
}

/**
 * A file name for records of a dataset: `wits 2026-11-21.csv`, `Ridge A-101H wits 2026-11-19 to 2026-11-20.csv`.
 * @param today their date, if their range doesn’t say one
 * @param part which of the records are in the file, if not all that match: `12 selected rows`
 */
export function suggestedName(
  dataset: string,
  today: Date,
  part?: string,
  { wells, range }: RecordsOf = { wells: [], range: null },
): string {
  const [first] = wells;
  const names =
    first === undefined ? [] : [wells.length === 1 ? first.slice(0, maxWellLength) : `${wells.length} wells`];
  const subject = [...names, dataset, range ?? today.toISOString().slice(0, 10)].map(suitable).join(' ');
  return `${subject}${part === undefined ? '' : `, ${part}`}.csv`;
}
