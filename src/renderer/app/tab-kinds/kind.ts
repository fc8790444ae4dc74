import type { KeptTab } from '../../../shared/tabs/tabs.ts';
import type { TabContent } from '../tabs.ts';

/**
 * What a kind of tab must be able to do so that its tabs outlive the page. A further kind is one more entry in
 * `tab-kinds.ts`; the compiler asks for it when the union `TabContent` grows.
 */
export interface TabKind<Content extends TabContent> {
  /** All that is kept of a tab: plain data, never records. Null: there is nothing worth keeping. */
  readonly keep: (model: Content['model']) => object | null;
  /** Calls back whenever `keep` may say something else, until the function that it gives is called. */
  readonly watch: (model: Content['model'], changed: () => void) => () => void;
  /**
   * A tab from what `keep` said.
   * @throws AppError what is wrong, such as `not_found` for a dataset that is gone; anything else for a state that can't be read
   */
  readonly restore: (state: unknown, tab: KeptTab) => Promise<TabContent>;
}
