import { counted } from './counted.ts';

/** The words of saved queries. */
export const saved = {
  heading: 'Saved',
  search: 'Search saved queries',
  searchHint: 'Name or query',
  loading: 'Loading the saved queries…',
  notLoaded: 'The saved queries were not loaded.',
  load: 'Load the saved queries',
  empty: (keys: string | undefined) =>
    keys === undefined
      ? 'Nothing is saved yet. Save a query by the star above its tab.'
      : `Nothing is saved yet. Press ${keys} in a query to save it.`,
  noMatch: 'No saved query matches.',
  count: (count: number) => counted(count, 'query', 'queries'),
  folder: 'Folder',
  name: 'Name',
  menu: (name: string) => `Actions for ${name}`,
  more: 'More of the saved queries',
  open: 'Open in a new tab',
  edit: 'Rename or move…',
  exportOne: 'Export…',
  copyLink: 'Copy a link',
  exportAll: 'Export all…',
  import: 'Import…',
  remove: 'Delete',
  removed: (count: number) => `${counted(count, 'query', 'queries')} deleted.`,
  undo: 'Undo',
  save: 'Save',
  saveQuery: 'Save the query',
  saveHeading: 'Save the query',
  editHeading: 'Rename or move',
  folderHeading: 'Rename or move the folder',
  folderNote: 'A name, or several with / between them. Leave it empty for none.',
  folderHint: 'None',
  replaces: 'A query of this name is there already: it is replaced.',
  savedAs: (name: string) => `Saved as “${name}”.`,
  exported: (name: string) => `Exported as ${name}.`,
  fileName: 'queries.wellbench',
  linkCopied: (name: string) =>
    `A link to “${name}” is on the clipboard. It opens in the installed Wellbench.`,
  linkTooLong: 'This query is too long for a link. Export it as a file instead.',
  linkNotCopied: 'The link could not be put on the clipboard. Export the query as a file instead.',
  imported: (count: number) => `${counted(count, 'query', 'queries')} imported.`,
  nothingNew: 'All queries of the file are saved already.',
  conflicts: (count: number, first: string) =>
    count === 1
      ? `“${first}” is saved already, but asks something else.`
      : `${counted(count, 'query', 'queries')} such as “${first}” are saved already, but ask something else.`,
  keepBoth: 'Keep both',
  replace: 'Replace mine',
  dismiss: 'Close the message',
};
