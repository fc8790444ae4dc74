/** The words of the tour. */
export const tour = {
  region: 'Tour',
  offer: 'New here? Six small steps lead from a well to a file and back. Each is done by doing it.',
  start: 'Take the tour',
  decline: 'No, thanks',
  leave: 'Leave the tour',
  close: 'Close the tour',
  at: (number: number, of: number) => `Step ${number} of ${of}`,
  steps: {
    well: 'Choose a well in the list at the left.',
    dataset: 'Open a dataset below the wells, such as WITS: a query for your well opens.',
    run: 'Press Run. The records that match come below.',
    plot: 'Press Plot above the records to see columns as lines.',
    export: 'Press Export, then Start export: a file of everything that matches is made.',
    upload:
      'Press Upload and put a CSV file in, such as resources/samples/drilling-time.csv of Wellbench. Nothing leaves this computer.',
  },
  done: 'That was the whole way. F1 has a page for each of these steps, Ctrl+K all that can be done.',
};
