import { resolve } from 'node:path';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { readRegular } from '../../core/files/regular-file.ts';

/** Maximum length of a text from a file or stdin, in bytes: a query of 250,000 characters of any kind. */
const maxBytes = 1024 * 1024;

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');

/**
 * Everything on stdin, without the last line end.
 * @param max in bytes
 * @throws AppError `invalid_input` if it is longer
 */
export async function readPiped(max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > max) throw invalidInput('The input on stdin is too long.', { field: 'stdin' });
    chunks.push(piece);
  }
  return withoutMark(Buffer.concat(chunks).toString('utf8'));
}

/**
 * Reads texts of options that are in files or on stdin, since a command line has at most 32,000 characters on Windows: `@FILE`
 * and `-`. Others are returned as they are.
 * @param texts by the names of their options
 * @throws AppError `file_unreadable`; `invalid_input` if a text is empty or too long, or two are on stdin
 */
export async function readTexts(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const piped = Object.entries(texts).filter(([, text]) => text === '-');
  const [, second] = piped;
  if (second) throw invalidInput('Only one option can be read from stdin.', { field: second[0] });
  const read = async ([name, text]: [string, string]): Promise<[string, string]> => {
    const isFile = text.startsWith('@');
    if (text !== '-' && !isFile) return [name, text];
    const file = text.slice(1);
    const content = isFile
      ? withoutMark((await readRegular(resolve(file), file, maxBytes)).toString('utf8'))
      : await readPiped(maxBytes);
    // As an empty option: an empty file must not select everything.
    if (content.trim() === '')
      throw invalidInput(`${isFile ? file : 'stdin'} is empty. Write the JSON, or remove the option.`, {
        field: name,
      });
    return [name, content];
  };
  return Object.fromEntries(await Promise.all(Object.entries(texts).map(read)));
}
