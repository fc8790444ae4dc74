/** The digits of an API number, which can be written with dashes and blanks. */
export const apiDigits = (text: string): string => text.replaceAll(/[-\s]/g, '');

/** Numbers of digits: of a well, with its wellbore, and with the completion in it. */
const lengths = [10, 12, 14];

/** Whether a text is an API number: 10 digits, or more. */
export const isApiNumber = (text: string): boolean => /^\d{10,20}$/.test(apiDigits(text));

/** The shorter API numbers that a longer one contains, the longest first: of its wellbore, and of its well. */
export const shorterApiNumbers = (digits: string): string[] =>
  lengths
    .filter((length) => length < digits.length)
    .toReversed()
    .map((length) => digits.slice(0, length));

/** The API number of the well in that of a wellbore or completion: its first 10 digits. */
export const apiOfWell = (digits: string): string => digits.slice(0, lengths[0]);

/** The API number of a well as it is usually written: `42-123-45678`. @param digits 10 digits */
export const dashedApi = (digits: string): string =>
  `${digits.slice(0, 2)}-${digits.slice(2, 5)}-${digits.slice(5)}`;

/** Whether two API numbers can be of one wellbore: they are equal as far as the shorter one says. */
export function areOfOneWellbore(a: string, b: string): boolean {
  const [first, second] = [apiDigits(a), apiDigits(b)];
  return first === second || (isApiNumber(first) && isApiNumber(second) && isPrefix(first, second));
}

const isPrefix = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);
