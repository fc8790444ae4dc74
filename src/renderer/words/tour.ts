/** The words of the tour. */
export const tour = {
  region: 'Tour',
  offer: 'New to Wellbench? Learn the basics in six quick hands-on steps.',
  start: 'Take a tour',
  decline: 'No thanks',
  leave: 'End tour',
  close: 'Close tour',
  at: (number: number, of: number) => `Step ${number} of ${of}`,
  steps: {
    well: 'Select a well in the list on the left.',
    dataset: 'Open a dataset below the wells, such as WITS. A query for your well opens.',
    run: 'Select Run. Matching records appear below.',
    plot: 'Select Plot above the records to plot columns.',
    export: 'Select Export, then Start export, to save all matching records to a file.',
    upload:
      'Select Upload and choose a CSV file, such as resources/samples/drilling-time.csv. Nothing leaves this computer.',
  },
  done: 'You’re all set. Press F1 for help and Ctrl+K for all commands.',
};
