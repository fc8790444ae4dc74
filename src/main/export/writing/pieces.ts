import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type PartStats, statsSum } from '../census/tally.ts';
import { piecesName, type Piece, type Slice } from '../folder/slice.ts';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';
import { writeError } from '../../files/file-errors.ts';
import type { PathTree } from '../records/path-tree.ts';
import type { ScannedPage } from '../records/scan.ts';
import type { TypedColumn } from '../records/typed-columns.ts';
import type { WrittenFiles } from './written-files.ts';

/** The pieces of a run, in the folder of its job. */
export class Pieces {
  readonly folder: string;
  readonly #slices: Slice[];
  readonly #writtenBy: (slice: Slice, folder: string) => WrittenFiles;
  readonly #byPartition = new Map<string, { readonly piece: Piece; readonly written: WrittenFiles }[]>();

  /** @param slices of an earlier attempt; without any, files that it left are removed */
  constructor(
    jobFolder: string,
    slices: readonly Slice[],
    writtenBy: (slice: Slice, folder: string) => WrittenFiles,
  ) {
    this.folder = join(jobFolder, piecesName);
    this.#slices = [];
    this.#writtenBy = writtenBy;
    if (slices.length === 0) rmSync(this.folder, { recursive: true, force: true });
    for (const slice of slices) this.add(slice);
  }

  /** The kinds of values by column, of all slices. */
  get columns(): Slice['columns'] {
    return this.#slices.at(-1)?.columns ?? [];
  }

  /** The number of slices. */
  get count(): number {
    return this.#slices.length;
  }

  get partitions(): readonly string[] {
    return [...this.#byPartition.keys()];
  }

  add(slice: Slice): void {
    this.#slices.push(slice);
    const written = this.#writtenBy(slice, this.folder);
    for (const piece of slice.pieces) {
      const others = this.#byPartition.get(piece.partition) ?? [];
      this.#byPartition.set(piece.partition, [...others, { piece, written }]);
    }
  }

  has(partition: string): boolean {
    return this.#byPartition.has(partition);
  }

  statsOf(partition: string): PartStats {
    return statsSum((this.#byPartition.get(partition) ?? []).map(({ piece }) => piece));
  }

  /** The only piece of a partition, if it has these columns; null: they have to be written together. */
  only(partition: string, columns: readonly TypedColumn[]): Piece | null {
    const [first, ...others] = this.#byPartition.get(partition) ?? [];
    return first && others.length === 0 && first.written.hasColumns(columns) ? first.piece : null;
  }

  /** The records of a partition in pages; a page is valid until the next one. */
  async *pages(partition: string, tree: PathTree): AsyncGenerator<ScannedPage> {
    for (const { piece, written } of this.#byPartition.get(partition) ?? [])
      yield* written.pages(piece.file, tree);
  }

  /** @throws AppError `disk_full`, `file_unwritable` */
  copy({ file, bytes }: Piece, to: string, name: string): void {
    try {
      copyFileSync(join(this.folder, file), to);
    } catch (error) {
      throw writeError(error, name, 0);
    }
    const copied = new GrowingFile({ disk: realDisk, path: to, name }, bytes);
    copied.sync();
    copied.close();
  }
}
