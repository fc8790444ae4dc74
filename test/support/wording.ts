import { AppError } from '../../src/shared/errors/errors.ts';

/** Stands for any text where a text of the catalogue has a name. */
export const any = '\uE000';
/** Stands for any count where a text of the catalogue has one; the other one, where it has two that differ. */
export const anyCount = 7_777_777;
export const anyOtherCount = 7_777_778;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
const source = (text: string): string =>
  escape(text)
    // Playwright puts the source of an expression into a selector, where a quote would begin a text.
    .replaceAll(/['"`]/g, (quote) => String.raw`\x${quote.charCodeAt(0).toString(16)}`)
    .replaceAll(any, '.+')
    .replaceAll(/7\D?777\D?77[78]/g, String.raw`[\d,]+`);

/** What a text of the catalogue looks like, whatever stands for `any` and `anyCount` in it. */
export const like = (text: string): RegExp => new RegExp(`^${source(text)}$`, 'u');

/** What begins like a text of the catalogue. */
export const startingLike = (text: string): RegExp => new RegExp(`^${source(text)}`, 'u');

/** What has something like a text of the catalogue in it. */
export const including = (text: string): RegExp => new RegExp(source(text), 'u');

/** What is like one of several texts. */
export const oneOf = (...forms: readonly RegExp[]): RegExp =>
  new RegExp(forms.map(({ source: form }) => form).join('|'), 'u');

/**
 * What is said where `work` is refused.
 * @throws Error when it is not refused
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
