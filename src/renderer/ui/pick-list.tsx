import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';

export type PickKey = string | number;

export interface PickListProps<T extends object> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => PickKey;
  /** What a screen reader and type-ahead call the item. */
  readonly nameOf: (item: T) => string;
  readonly render: (item: T) => ReactNode;
  /** In pixels; every row has the same height. */
  readonly rowHeight: number;
  /** Keys that can't be chosen. */
  readonly disabled?: Iterable<PickKey>;
  readonly chosen?: ReadonlySet<PickKey>;
  readonly onChoose?: (keys: ReadonlySet<PickKey>) => void;
  /** Enter or a click on an item of a list that chooses nothing. */
  readonly onOpen?: (key: PickKey) => void;
}

/**
 * A list of any length, of which only what is seen is drawn. With `onChoose` several items can be chosen, with
 * `onOpen` one is acted upon.
 */
export function PickList<T extends object>(props: PickListProps<T>) {
  const { label, items, keyOf, nameOf, render, rowHeight, disabled, chosen, onChoose, onOpen } = props;
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: rowHeight }}>
      <GridList
        aria-label={label}
        className="picks"
        items={items}
        selectionMode={onChoose ? 'multiple' : 'none'}
        selectionBehavior="toggle"
        {...(disabled ? { disabledKeys: disabled } : {})}
        {...(chosen ? { selectedKeys: chosen } : {})}
        onSelectionChange={(keys) => onChoose?.(keys === 'all' ? new Set(items.map(keyOf)) : keys)}
        {...(onOpen ? { onAction: onOpen } : {})}
      >
        {(item) => (
          <GridListItem id={keyOf(item)} textValue={nameOf(item)} className="pick">
            {onChoose && (
              <Checkbox slot="selection" className="checkbox">
                <span className="checkbox-box">
                  <Check size={12} strokeWidth={3} aria-hidden />
                </span>
              </Checkbox>
            )}
            {render(item)}
          </GridListItem>
        )}
      </GridList>
    </Virtualizer>
  );
}
