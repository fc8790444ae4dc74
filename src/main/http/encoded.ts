import { invalidInput } from '../../shared/errors/errors.ts';

/**
 * A text as part of an address.
 * @throws AppError invalid_input for half a character (a surrogate alone), which no address can hold
 */
export function encoded(text: string, field?: string): string {
  if (!text.isWellFormed())
    throw invalidInput(
      `“${text.toWellFormed()}” holds half a character. Type it again.`,
      field === undefined ? undefined : { field },
    );
  return encodeURIComponent(text);
}
