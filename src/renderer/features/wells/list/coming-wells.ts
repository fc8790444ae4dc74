import type { LongCatalogueEvent } from '../../../../shared/catalogue/catalogue.ts';
import { wellsIn } from '../../../../shared/wells/packed-wells.ts';
import { WellIndex } from './well-index.ts';

/** A list of wells as it comes in: the one that is seen, and beside it the one that will take its place. */
export class ComingWells {
  #seen = new WellIndex();
  /** Not whole yet, beside one that is seen. */
  #beside: WellIndex | null = null;
  /** Whether what is seen was kept on this machine. */
  #kept = false;
  #version = 0;

  /** The list that is seen now. It only grows; what is to be seen instead is another one. */
  get seen(): WellIndex {
    return this.#seen;
  }
  /** Another one whenever other wells are seen. */
  get version(): number {
    return this.#version;
  }

  /** A list comes in anew: what is seen stays until the new one is whole. */
  begin(): void {
    this.#kept = false;
    this.#beside = this.#seen.count > 0 ? new WellIndex() : null;
  }

  /** Nothing is seen any more. */
  empty(): void {
    this.#see(new WellIndex());
  }

  hear(event: LongCatalogueEvent): void {
    if (event.kind === 'items') return this.#add(event);
    if (event.kind === 'damaged') {
      if (this.#beside) this.#beside = new WellIndex();
      else this.empty();
    } else if (event.kind === 'whole') {
      if (this.#beside) this.#see(this.#beside);
      // A kept list that is empty now is replaced by nothing.
      else if (this.#kept) this.empty();
      this.#kept = event.source === 'kept';
    }
  }

  /** No more comes: a list that is not whole does not take the place of one that is. */
  end(): void {
    this.#beside = null;
  }

  #add({ source, text }: Extract<LongCatalogueEvent, { kind: 'items' }>): void {
    if (source === 'service' && this.#kept) this.#beside ??= new WellIndex();
    (this.#beside ?? this.#seen).add(wellsIn(text));
    if (!this.#beside) this.#version += 1;
  }

  #see(list: WellIndex): void {
    this.#seen = list;
    this.#beside = null;
    this.#version += 1;
  }
}
