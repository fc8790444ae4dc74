import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { textIn, type ScannedPage } from './scan.ts';

/** No null value has more characters. */
const maxLength = 12;

/** Whether the number at a place of a page is a null value such as -999.25. */
export const isNullAt = (page: ScannedPage, start: number, end: number): boolean =>
  page.bytes[start + 1] === 57 && end - start <= maxLength && isNullNumber(Number(textIn(page, start, end)));
