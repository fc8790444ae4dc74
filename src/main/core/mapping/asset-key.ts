import { apiDigits } from '../../../shared/wells/api-numbers.ts';

/** The form in which names and API numbers are compared: trimmed, in one case; API numbers without dashes. */
export const assetKey = (by: 'name' | 'api_number', text: string): string =>
  by === 'api_number' ? apiDigits(text) : text.trim().toLowerCase();
