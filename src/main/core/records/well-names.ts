import { wellNamePaths } from '../../../shared/export/export.ts';
import { TextBuffer } from './text-buffer.ts';
import { type PathTree, endOf, leafFrom, leafTo, type ScannedPage, startOf, textIn } from './scan.ts';

/** The names of wells by asset id. */
export type WellNames = Readonly<Record<string, string>>;

const nameKey = 'well_name';

/** Fields that include the well; no fields are all fields. @param wellPath the path of a record's well */
export const withWellField = (fields: readonly string[], wellPath: string): readonly string[] =>
  fields.length === 0 || fields.some((field) => field === 'metadata' || wellNamePaths.has(field))
    ? fields
    : [wellPath, ...fields];

/** The fields of a file with well names: each path of a well is followed by that of its name. */
export const withNameFields = (fields: readonly string[]): string[] =>
  fields.flatMap((field) => {
    const name = wellNamePaths.get(field);
    return name === undefined ? [field] : [field, name];
  });

const comma = 44;

/**
 * Creates a function that writes records with `well_name` after each asset id whose well has a name. A record's own field of
 * that name is kept. All other bytes stay the same.
 * @param tree of the pages
 */
export function createWellNamer(names: WellNames, tree: PathTree) {
  const memberOf = new Map(
    Object.entries(names).map(([id, name]) => [id, `,"${nameKey}":${JSON.stringify(name)}`]),
  );
  const lines = new TextBuffer();
  /** @returns the JSON of an array of the given records, valid until the next call */
  return (page: ScannedPage, records: readonly number[]): Uint8Array => {
    const { bytes, leaves } = page;
    lines.text('[');
    for (const [at, record] of records.entries()) {
      if (at > 0) lines.byte(comma);
      const to = leafTo(page, record);
      const places: { readonly after: number; readonly member: string; readonly path: string }[] = [];
      const ownNames = new Set<string>();
      for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
        const path = tree.nodes[leaves[leaf] ?? 0]?.path ?? '';
        const namePath = wellNamePaths.get(path);
        if (namePath === undefined) {
          if (path.endsWith(nameKey)) ownNames.add(path);
          continue;
        }
        const after = leaves[leaf + 2] ?? 0;
        const id = textIn(page, leaves[leaf + 1] ?? 0, after).replaceAll('"', '');
        const member = memberOf.get(id);
        if (member !== undefined) places.push({ after, member, path: namePath });
      }
      let copied = startOf(page, record);
      for (const { after, member, path } of places) {
        if (ownNames.has(path)) continue;
        lines.range(bytes, copied, after);
        lines.text(member);
        copied = after;
      }
      lines.range(bytes, copied, endOf(page, record));
    }
    lines.text(']');
    return lines.take();
  };
}
