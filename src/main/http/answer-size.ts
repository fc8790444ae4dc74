/** How large an answer may be, in bytes, packed as well as unpacked. */
export const maxAnswerBytes = {
  /** Tokens, counts, single resources, receipts of inserts, and errors. */
  small: 4 * 1024 * 1024,
  /** Definitions of datasets, and a page of a platform list. */
  list: 64 * 1024 * 1024,
  /** A page of records; a longer one could not become one string. */
  records: 512 * 1024 * 1024,
} as const;
