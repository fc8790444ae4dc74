import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = globSync('{src,test,scripts}/**/*.{ts,tsx,mjs}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== 'test/voice/identifiers.test.ts');

/** Names that docs/voice.md rule 9 replaces, and what to use instead. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^(said|told|heard|asked|given|gone|thrown|begun|meant|standing|doubted|gained|letIn)$/, 'a noun'],
  [
    /^(soFar|anew|aside|elsewhere|underWay|goOn|goesOn|giveUp|gaveUp|lately|meanwhile|outOfReach|toCome)$/,
    'a noun or a verb',
  ],
  [/^(stood|stayed|learnt|madeUp|takenIn|unheard|undisturbed)$/, 'a noun'],
  [/([Tt]oll|[Pp]apa|mortal|stranger|thrower|[Ff]ates?)$/, 'a plain noun'],
  [/^until[A-Z]/, 'waitFor… or waitUntil…'],
  [/^(most|longest|largest|deepest|leastOf)[A-Z]/, 'max… or min…'],
  [/(Said|Told|Heard|Anew)$/, 'a noun'],
  [/^(alone|lookAround|makeIn|wishes|waitsOut)$/, 'withLock, survey…, waitFor…'],
  [/([Dd]oubts?|[Ss]uspects?|[Ww]itness|[Pp]atient|[Dd]octor|[Bb]urden)$/, 'a term of the glossary'],
  [/^(rooms?|gates?)$|(Rooms?|Gates?)$/, 'module, interceptor'],
  [/(Needs)$/, '…Dependencies'],
  [/[Bb]ehaviour|[Cc]olour|[Ll]icence|[Cc]entre|[Nn]eighbour|[Ff]avourite/, 'American spelling'],
];

/** Names of local values that don't tell what the value is. */
const vagueLocals = /^(found|known|one|each|own|others|why|said|told)$/;

/** Where local names are checked, and where not: what is stored or public has its names. */
const checkedLocals = /^src\//;
const uncheckedLocals = [
  'src/main/core/mapping/wells.ts', // others: a field of the wells of a number
  'src/main/core/reading/reading.ts', // why: a field of the journal
  'src/main/hosts/cli/wells-of-file.ts', // found: a field of the contract
  'src/renderer/features/connections/diagnostics-panel.tsx', // found: a field of the contract
  'src/renderer/features/jobs/jobs-bar.tsx', // others: a property of the bar
  'src/renderer/features/plot/first-choice.ts', // others: a field of stored plots
  'src/renderer/features/upload/queue/upload-queue.ts', // others: a field of the queue
];

/** Names that are right in their context: terms of a library, of files on disk, or of the command line. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  asked: [
    'src/renderer/features/records/',
    'src/renderer/features/results/',
    'src/renderer/features/connections/',
  ],
  doubted: ['src/main/core/reading/'], // a field of the journal
  longestBlock: ['src/main/core/tables/sources/'], // a block, not a bound
  typeSaid: ['src/main/core/datasets/', 'src/shared/datasets/'], // a field of the contract
};

const declarations =
  /\b(?:const|let|function\*?|class|interface|type)\s+(\w+)|\breadonly\s+#?(\w+)\??:|^\s+#(\w+)\b|\(\s*(\w+)\)\s*=>|\b(?:async\s+)?#?(\w+)\([^()]*\)\s*(?::[^={]+)?\{$/gm;

/** The names that a source declares. */
function namesIn(text: string): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  return [...code.matchAll(declarations)].map((match) => match.slice(1).find((name) => name) ?? '');
}

/** The names of constants, variables, and parameters of arrow functions, also destructured. */
function localsIn(text: string): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const simple = [...code.matchAll(/\b(?:const|let)\s+(\w+)/g)].map(([, name = '']) => name);
  const lists = [
    ...code.matchAll(/\b(?:const|let)\s+[[{]([^=;]*?)[\]}]\s*(?:=|of\b)/g),
    ...code.matchAll(/\(([\w\s,]*)\)\s*=>/g),
  ];
  return [
    ...simple,
    ...lists.flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/^.*:/s, '').trim())),
  ];
}

/** Each vague local name, with its file. */
function vagueNames(file: string, text: string): string[] {
  if (!checkedLocals.test(file) || uncheckedLocals.some((start) => file.startsWith(start))) return [];
  const vague = localsIn(text).filter((name) => vagueLocals.test(name));
  return [...new Set(vague)].map((name) => `${file}: ${name} → what it is`);
}

/** Each name that breaks a rule, with its file and the name to use instead. */
function findings(file: string, names: readonly string[]): string[] {
  const isAllowed = (name: string) => allowed[name]?.some((start) => file.startsWith(start)) ?? false;
  return [...new Set(names)].flatMap((name) =>
    patterns.flatMap(([pattern, instead]) =>
      pattern.test(name) && !isAllowed(name) ? [`${file}: ${name} → ${instead}`] : [],
    ),
  );
}

describe('identifiers', () => {
  it('have no name that docs/voice.md replaces', () => {
    expect(
      sources.flatMap((file) => findings(file, namesIn(readFileSync(`${root}${file}`, 'utf8')))),
    ).toEqual([]);
  });

  it('of local values tell what the value is', () => {
    expect(sources.flatMap((file) => vagueNames(file, readFileSync(`${root}${file}`, 'utf8')))).toEqual([]);
  });

  it('of local values are reported wherever they are declared', () => {
    const planted = `const found = 1;
      const { wells: known, name } = a;
      for (const [one, two] of b) c.map((each, at) => each);
      const text = 'others'; // const own = 1`;
    expect(vagueNames('src/main/a.ts', planted)).toEqual(
      ['found', 'known', 'one', 'each'].map((name) => `src/main/a.ts: ${name} → what it is`),
    );
    expect(vagueNames('test/a.ts', planted)).toEqual([]);
  });

  it('are reported when they break a rule', () => {
    const planted =
      'const said = 1;\nfunction untilGoing(): void {\n}\nconst mostRecords = 10;\ntype SendNeeds = 1;';
    expect(findings('src/main/a.ts', namesIn(planted))).toEqual([
      'src/main/a.ts: said → a noun',
      'src/main/a.ts: untilGoing → waitFor… or waitUntil…',
      'src/main/a.ts: mostRecords → max… or min…',
      'src/main/a.ts: SendNeeds → …Dependencies',
    ]);
  });

  it('are not read from comments, and may be allowed in their context', () => {
    expect(namesIn('// const said = 1\n/* let told */\nconst message = 2;')).toEqual(['message']);
  });
});
