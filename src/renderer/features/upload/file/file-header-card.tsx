import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { visibleLine } from '../../../../shared/errors/visible-text.ts';
import { words } from '../../../words/words.ts';

const w = words.upload.source;

type HeaderEntry = FilePreview['header'][number];

/** The entries by their groups, in the order of the file. */
function groupsOf(header: readonly HeaderEntry[]): [string, HeaderEntry[]][] {
  const groups = new Map<string, HeaderEntry[]>();
  for (const entry of header) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups];
}

const valueText = ({ value, unit }: HeaderEntry): string =>
  visibleLine(unit === null ? value : `${value} ${unit}`);

/** The header of a file, such as the well section of a LAS file. Groups behind the second are closed at first. */
export function FileHeaderCard({ header }: Pick<FilePreview, 'header'>) {
  const filled = header.filter(({ value }) => value.trim() !== '');
  if (filled.length === 0) return null;
  return (
    <section className="file-header" aria-labelledby="upload-file-header">
      <h2 id="upload-file-header">{w.header}</h2>
      {groupsOf(filled).map(([group, entries], at) => (
        <details key={group} open={at < 2}>
          <summary>{visibleLine(group)}</summary>
          <table className="small">
            <thead className="visually-hidden">
              <tr>
                <th scope="col">{w.headerName}</th>
                <th scope="col">{w.headerValue}</th>
                <th scope="col">{w.headerDescription}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry, row) => (
                <tr key={`${entry.name} ${row}`}>
                  <th scope="row" className="mono">
                    {visibleLine(entry.name)}
                  </th>
                  <td>{valueText(entry)}</td>
                  <td className="quiet">{visibleLine(entry.description ?? '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      ))}
    </section>
  );
}
