import { proofOf, secondsOf, type Copied } from './copied.ts';
import { literal, plainHeaders, splitAddress } from './pieces.ts';

/** The request for Python, with nothing but what comes with it. */
export function asPython(copied: Copied): string {
  const { method, body } = copied.described;
  const { scheme, variable, hint } = proofOf(copied);
  const { base, parameters } = splitAddress(copied.described);
  const hasParameters = parameters.length > 0;
  const lines = [
    'import json',
    'import os',
    ...(hasParameters ? ['import urllib.parse'] : []),
    'import urllib.request',
    '',
    ...(hint === null ? [] : [`# ${hint}`]),
    `address = ${literal(base)}`,
    ...(hasParameters
      ? [
          'parameters = {',
          ...parameters.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
          '}',
        ]
      : []),
    'request = urllib.request.Request(',
    `    address${hasParameters ? " + '?' + urllib.parse.urlencode(parameters)" : ''},`,
    `    method=${literal(method)},`,
    ...(body === null ? [] : [`    data=${literal(body)}.encode(),`]),
    '    headers={',
    ...plainHeaders(copied.described).map(([name, value]) => `        ${literal(name)}: ${literal(value)},`),
    `        'authorization': '${scheme} ' + os.environ['${variable}'],`,
    '    },',
    ')',
    `with urllib.request.urlopen(request, timeout=${secondsOf(copied)}) as answer:`,
    '    result = json.load(answer)',
    'print(json.dumps(result))',
  ];
  return `${lines.join('\n')}\n`;
}
