import { exportFormats, type ExportFormat } from '../../shared/export/export.ts';

// Apart from other file names, which the first screen needs: formats bring the schema of exports with them.

/** The name with the extension of a format, which replaces that of another format. */
export function namedFor(name: string, format: ExportFormat): string {
  const ending = exportFormats.find((other) => name.endsWith(`.${other}`));
  return `${ending === undefined ? name : name.slice(0, -ending.length - 1)}.${format}`;
}
