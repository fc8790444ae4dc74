import { counted } from './counted.ts';

/** The words of saved queries. */
export const saved = {
  heading: 'Saved',
  search: 'Search saved queries',
  searchHint: 'Name or query',
  loading: 'Loading saved queries…',
  empty: (keys: string | undefined) =>
    keys === undefined
      ? 'No saved queries yet. Save a query with the star above its tab.'
      : `No saved queries yet. Press ${keys} in a query to save it.`,
  noMatch: 'No matching saved queries',
  count: (count: number) => counted(count, 'query', 'queries'),
  folder: 'Folder',
  name: 'Name',
  menu: (name: string) => `Actions for ${name}`,
  more: 'More actions',
  open: 'Open in new tab',
  edit: 'Rename or move…',
  exportOne: 'Export…',
  copyLink: 'Copy link',
  exportAll: 'Export all…',
  import: 'Import…',
  remove: 'Delete',
  removed: (count: number) => `${counted(count, 'query', 'queries')} deleted.`,
  undo: 'Undo',
  save: 'Save',
  saveQuery: 'Save query',
  saveHeading: 'Save query',
  editHeading: 'Rename or move',
  folderHeading: 'Rename or move folder',
  folderNote: 'Separate nested folders with /. Leave empty for no folder.',
  folderHint: 'None',
  keepWells: (names: readonly string[], more: number) =>
    `Only for ${names.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`,
  keepWellsNote:
    'Otherwise the query uses the wells that are selected when it runs, also when another person opens its link.',
  replaces: 'A query with this name already exists. Save replaces it.',
  savedAs: (name: string) => `Saved as “${name}”.`,
  exported: (name: string) => `Exported as ${name}.`,
  fileName: 'queries.wellbench',
  linkCopied: (name: string) => `Copied a link to “${name}”. It opens in the installed app.`,
  linkTooLong: 'This query is too long for a link. Export it as a file instead.',
  linkNotCopied: 'Couldn’t copy the link. Export the query as a file instead.',
  imported: (count: number) => `${counted(count, 'query', 'queries')} imported.`,
  nothingNew: 'All queries in the file are already saved.',
  conflicts: (count: number, first: string) =>
    count === 1
      ? `“${first}” already exists, and is different.`
      : `${counted(count, 'query', 'queries')} such as “${first}” already exist, and are different.`,
  keepBoth: 'Keep both',
  replace: 'Replace existing',
  dismiss: 'Dismiss',
};
