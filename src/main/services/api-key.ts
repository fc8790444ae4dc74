import { invalidInput } from '../../shared/errors/errors.ts';

/**
 * The key in what a person pasted: white space around it, the header's name and the word `API` before it are
 * understood.
 * @param field the field, or the variable, that it came from
 * @throws AppError `invalid_input` when a header can't hold it; the sentence never shows it
 */
export function apiKeyIn(pasted: string, field = 'apiKey'): string {
  const key = pasted
    .trim()
    .replace(/^authorization:\s*/i, '')
    .replace(/^API(\s+|$)/i, '')
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  if (key === '') throw invalidInput('The API key is empty. Paste the key.', { field });
  if (/^bearer\s/i.test(key)) {
    throw invalidInput('This is a bearer token, not an API key. Paste an API key, or log in.', { field });
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw invalidInput(
      'The API key holds a space, a line break or a letter that a key can’t have. Copy the key alone and paste it again.',
      { field },
    );
  }
  return key;
}
