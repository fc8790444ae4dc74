/** The texts between the commas of a list as typed, each once, without those that are empty. */
export const commaList = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  ),
];
