import type { CopyLanguage } from '../../../shared/query/query.ts';
import { asCommand } from './command.ts';
import type { Copied } from './copied.ts';
import { asCurl } from './curl.ts';
import { asPython } from './python.ts';
import { asTypeScript } from './typescript.ts';

/** What the request is copied as; none holds a secret. */
export function copiesOf(copied: Copied): Record<CopyLanguage, string> {
  return {
    curl: asCurl(copied),
    python: asPython(copied),
    typescript: asTypeScript(copied),
    command: asCommand(copied),
  };
}
