/** The form in which names and API numbers are compared: trimmed, in one case; API numbers without dashes. */
export const assetKey = (by: 'name' | 'api_number', text: string): string =>
  by === 'api_number' ? text.trim().replaceAll(/[-\s]/g, '') : text.trim().toLowerCase();
