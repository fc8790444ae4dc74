import { AppError } from '../../src/shared/errors/errors.ts';

/** Stands for any text where a text of the catalogue has a name. */
export const any = '\uE000';
/** Stands for any count where a text of the catalogue has one; and the second, if it has two different counts. */
export const anyCount = 7_777_777;
export const anyOtherCount = 7_777_778;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
const source = (text: string): string =>
  escape(text)
    // Playwright puts the source of an expression into a selector, where a quote would start a text.
    .replaceAll(/['"`]/g, (quote) => String.raw`\x${quote.charCodeAt(0).toString(16)}`)
    .replaceAll(any, '.+')
    .replaceAll(/7\D?777\D?77[78]/g, String.raw`[\d,]+`);

/** Matches a text of the catalogue, with anything for `any` and `anyCount` in it. */
export const like = (text: string): RegExp => new RegExp(`^${source(text)}$`, 'u');

/** Matches the start of a text of the catalogue. */
export const startingLike = (text: string): RegExp => new RegExp(`^${source(text)}`, 'u');

/** Matches a text of the catalogue anywhere. */
export const including = (text: string): RegExp => new RegExp(source(text), 'u');

/** Matches one of several texts. */
export const oneOf = (...forms: readonly RegExp[]): RegExp =>
  new RegExp(forms.map(({ source: form }) => form).join('|'), 'u');

/**
 * The message when `work` is rejected.
 * @throws Error when it succeeds
 */
export function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
