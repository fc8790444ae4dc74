import { X } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';

export interface Chip {
  readonly id: number | string;
  readonly text: string;
}

export interface ChipsProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly chips: readonly Chip[];
  /** What chips do that don't fit in a line. */
  readonly overflow: 'scroll' | 'wrap';
  readonly onRemove: (ids: ReadonlySet<number | string>) => void;
}

/** Items that can be removed, by button or Delete. */
export function Chips({ label, isLabelHidden = false, chips, overflow, onRemove }: ChipsProps) {
  return (
    <TagGroup className={`chips chips-${overflow} row`} onRemove={onRemove}>
      <Label className={isLabelHidden ? 'visually-hidden' : 'chips-label quiet'}>{label}</Label>
      <TagList className="chips-list" items={chips}>
        {({ id, text }) => (
          <Tag id={id} textValue={text} className="chip">
            <span className="ellipsis" title={text}>
              {text}
            </span>
            <Button slot="remove" className="chip-remove quiet">
              <X size={12} aria-hidden />
            </Button>
          </Tag>
        )}
      </TagList>
    </TagGroup>
  );
}
