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
 * @param texts those of each option, by its name
 * @throws AppError `file_unreadable`; `invalid_input` if a text is empty or too long, or two are on stdin
 */
export async function readTexts(
  texts: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, string[]>> {
  const piped = Object.entries(texts).flatMap(([name, all]) =>
    all.filter((text) => text === '-').map(() => name),
  );
  const [, second] = piped;
  if (second !== undefined) throw invalidInput('Only one option can be read from stdin.', { field: second });
  const read = async (name: string, text: string): Promise<string> => {
    const isFile = text.startsWith('@');
    if (text !== '-' && !isFile) return text;
    const file = text.slice(1);
    const content = isFile
      ? withoutMark((await readRegular(resolve(file), file, maxBytes)).toString('utf8'))
      : await readPiped(maxBytes);
    // As an empty option: an empty file must not select everything.
    if (content.trim() === '')
      throw invalidInput(
        `${isFile ? file : 'stdin'} is empty. Write the value in it, or remove the option.`,
        {
          field: name,
        },
      );
    return content;
  };
  const entries = Object.entries(texts).map(
    async ([name, all]) => [name, await Promise.all(all.map((text) => read(name, text)))] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
