import type { HeaderLine } from './header-line.ts';

/** The content of a section. */
export type SectionKind = 'version' | 'well' | 'parameter' | 'definition' | 'other' | 'data';

/** A title in the form for comparison. */
export const plainTitle = (title: string): string => title.trim().toLowerCase();
const withoutNumber = (title: string): string => title.replace(/\[\d+\]$/, '');

/** The name of a section: its title without the definition behind the bar. */
export const sectionName = (title: string): string => (title.split('|')[0] ?? '').trim();

/** The content of a section, by its title and the version of the file. */
export function sectionKind(
  title: string,
  version: number,
  definitions: ReadonlyMap<string, unknown>,
): SectionKind {
  const [own = '', association] = title.split('|').map(plainTitle);
  const name = withoutNumber(own);
  if (name.includes('_definition')) return 'definition';
  if (name.includes('_parameter')) return 'parameter';
  if (association !== undefined || name.includes('_data')) return 'data';
  if (version >= 3 && definitions.has(`${name}_definition`)) return 'data';
  if (/^a(?:scii)?(?![a-z_])/.test(name) || (version < 3 && name.startsWith('a'))) return 'data';
  if (version >= 3 && /^(?!vers|well|param|curve|other)[a-z]{2,}/.test(name)) return 'other';
  if (name.startsWith('v')) return 'version';
  if (name.startsWith('w')) return 'well';
  if (name.startsWith('c')) return 'definition';
  return name.startsWith('p') ? 'parameter' : 'other';
}

/**
 * The section that defines the columns of a data section: the one that its title names, else one with its name, else
 * `~C`.
 */
export function definitionOf(
  title: string,
  definitions: ReadonlyMap<string, readonly HeaderLine[]>,
): readonly HeaderLine[] {
  const [own = '', association = ''] = title.split('|').map(plainTitle);
  const similar = own.includes('_data') ? own.replace('_data', '_definition') : `${own}_definition`;
  for (const name of [association, similar])
    for (const candidate of [
      name,
      withoutNumber(name),
      withoutNumber(name) === 'log_definition' ? 'curve' : '',
    ])
      if (candidate !== '' && definitions.has(candidate)) return definitions.get(candidate) ?? [];
  return definitions.get('curve') ?? definitions.get('log_definition') ?? [];
}
