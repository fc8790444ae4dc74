/** The words of the help in English. The guide itself is `docs/guide`. */
export const help = {
  open: 'Help',
  region: 'Help',
  contents: 'Contents',
  more: 'Troubleshoot',
  close: 'Close help',
  diagnostics: 'Copy diagnostics',
  diagnosticsCopied: 'Copied versions, settings, and recent log entries. No credentials included.',
  diagnosticsText: 'Diagnostics',
  search: 'Search help',
  noMatch: 'No results',
};
