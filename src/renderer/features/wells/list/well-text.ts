import type { Well } from '../../../../shared/wells.ts';

/**
 * The wells of a part of a long list, as it crosses. The application has made the text of wells that it checked one by
 * one; here no more is looked at than that it is such a text.
 * @throws SyntaxError when it is none
 */
export function wellsIn(text: string): Well[] {
  const items: unknown = JSON.parse(text);
  if (!areWells(items)) throw new SyntaxError('a part of the list of wells has another form');
  return items;
}

function areWells(items: unknown): items is Well[] {
  if (!Array.isArray(items)) return false;
  const [first]: unknown[] = items;
  return first === undefined || (typeof first === 'object' && first !== null && 'platformId' in first);
}
