import { proofOf, secondsOf, type Copied } from './copied.ts';
import { plainHeaders, shellWord } from './pieces.ts';

/** The request for curl, in a POSIX shell. */
export function asCurl(copied: Copied): string {
  const { method, url, body } = copied.described;
  const { scheme, variable, hint } = proofOf(copied);
  const lines = [
    `curl --fail-with-body --silent --show-error --compressed --globoff --max-time ${secondsOf(copied)}`,
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...plainHeaders(copied.described).map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
    // In double quotes, so that the shell puts the secret in.
    `--header "authorization: ${scheme} $${variable}"`,
    ...(body === null ? [] : [`--data-binary ${shellWord(body)}`]),
    shellWord(url),
  ];
  return `${hint === null ? '' : `# ${hint}\n`}${lines.join(' \\\n  ')}\n`;
}
