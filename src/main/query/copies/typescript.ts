import { proofOf, secondsOf, type Copied } from './copied.ts';
import { literal, plainHeaders, splitAddress } from './pieces.ts';

/** The request for TypeScript, by `fetch`. */
export function asTypeScript(copied: Copied): string {
  const { method, body } = copied.described;
  const { scheme, variable, hint } = proofOf(copied);
  const { base, parameters } = splitAddress(copied.described);
  const lines = [
    ...(hint === null ? [] : [`// ${hint}`]),
    `const address = new URL(${literal(base)});`,
    ...parameters.map(([name, value]) => `address.searchParams.set(${literal(name)}, ${literal(value)});`),
    'const answer = await fetch(address, {',
    `  method: ${literal(method)},`,
    '  headers: {',
    ...plainHeaders(copied.described).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
    `    authorization: \`${scheme} \${process.env['${variable}']}\`,`,
    '  },',
    ...(body === null ? [] : [`  body: ${literal(body)},`]),
    `  signal: AbortSignal.timeout(${Math.round(secondsOf(copied) * 1000)}),`,
    '});',
    'if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);',
    '// As text, for JSON.parse would lose the last digits of integers beyond 2^53.',
    'console.log(await answer.text());',
  ];
  return `${lines.join('\n')}\n`;
}
