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
    well: 'Select a well.',
    dataset: 'Select Datasets, then open one, such as WITS. A query for your well opens.',
    run: 'Select Run. Matching records appear below.',
    plot: 'Select Plot to plot columns of the records.',
    export: 'Select Export, then Start export, to save all matching records to a file.',
    upload: 'Select Upload, choose a CSV file, and follow the steps to send it.',
  },
  uploadSample:
    'Upload a CSV file: use the sample file, and follow the steps to send it. Nothing leaves this computer.',
  sendFile: 'Follow the steps below to send the file.',
  takeSample: 'Use sample file',
  done: 'You’re all set. Press F1 for help and Ctrl+K for all commands.',
};
