/** The words of the help in English. The guide itself is `docs/guide`. */
export const help = {
  open: 'Help',
  region: 'Help',
  contents: 'Contents',
  more: 'What can I do?',
  close: 'Close the help',
  diagnostics: 'Copy diagnostics',
  diagnosticsCopied: 'Copied: versions, settings and the end of the log, without secrets.',
  diagnosticsText: 'Diagnostics',
  search: 'Search the guide',
  noMatch: 'Nothing in the guide says this. Try another word.',
};
